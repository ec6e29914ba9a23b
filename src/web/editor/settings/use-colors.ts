import { useEffect } from 'react'
import { COLOR_NAMES } from '#domain/colors.ts'
import type { Quiz, QuizColors } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { useEditorCache } from '#web/editor/editor-cache.ts'
import { type Autosaving, useAutosave } from '#web/editor/use-autosave.ts'
import { type Undoing, useHistory } from '#web/editor/use-history.ts'
import { QUIZ_DELAY_MS } from '#web/editor/use-quiz-name.ts'

const NO_COLORS: QuizColors = {
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  accent_color: null,
}

const colorsOf = (quiz: QuizColors): QuizColors => {
  const colors = { ...NO_COLORS }
  for (const name of COLOR_NAMES) colors[name] = quiz[name]
  return colors
}

type Chosen = Partial<QuizColors>

const colorsReducer = (colors: QuizColors, chosen: Chosen): QuizColors => ({ ...colors, ...chosen })

/** A palette being dragged through is one step, a reset is another. */
const colorsBurst = (chosen: Chosen): string | null => {
  const [name, ...others] = Object.keys(chosen)
  return name !== undefined && others.length === 0 ? name : null
}

type Colors = Autosaving & {
  colors: QuizColors
  change: (name: keyof QuizColors, color: string) => void
  /** Gives all five back to the defaults. */
  reset: () => void
  undoing: Undoing
}

/** The five colours while they are chosen, stored together as they change (spec §4 « Autosave »). */
export const useColors = (quiz: Quiz, { is_paused }: { is_paused: boolean }): Colors => {
  const cache = useEditorCache(quiz.id)
  const {
    state: colors,
    change: choose,
    undoing,
  } = useHistory(colorsReducer, () => colorsOf(quiz), colorsBurst)

  const autosaving = useAutosave({
    key: `${quiz.id}/colors`,
    value: colors,
    save: async (value) => {
      await client.quizzes.update({ id: quiz.id, body: value })
      cache.quizChanged(value)
      cache.draftStored()
    },
    delay_ms: QUIZ_DELAY_MS,
    is_paused,
  })

  useEffect(() => cache.quizChanged(colors), [cache, colors])

  return {
    ...autosaving,
    colors,
    change: (name, color) => choose({ [name]: color }),
    reset: () => choose(NO_COLORS),
    undoing,
  }
}
