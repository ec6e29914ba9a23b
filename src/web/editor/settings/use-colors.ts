import type { QuizColors, QuizPage } from '#domain/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'

const NO_COLORS: QuizColors = {
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  accent_color: null,
}

export type Colors = {
  change: (name: keyof QuizColors, color: string) => void
  /** Resets all five to the defaults. */
  reset: () => void
  /** Changes several fields of the look, in one step. */
  choose: (look: Partial<QuizColors & QuizPage>) => void
}

/** Changes the look of the draft; dragging through a palette is one undo step, a reset another. */
export const useColors = (session: DraftSession): Colors => {
  const choose = (look: Partial<QuizColors & QuizPage>, burst: string | null): void =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, ...look } }), {
      burst,
      ...SAVING.colors,
    })
  return {
    change: (name, color) => choose({ [name]: color }, name),
    reset: () => choose(NO_COLORS, null),
    choose: (look) => choose(look, null),
  }
}
