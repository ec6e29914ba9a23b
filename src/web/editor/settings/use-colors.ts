import type { QuizColors } from '#domain/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'

const NO_COLORS: QuizColors = {
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  accent_color: null,
}

type Colors = {
  change: (name: keyof QuizColors, color: string) => void
  /** Resets all five to the defaults. */
  reset: () => void
}

/** Changes the colours of the draft; dragging through a palette is one undo step, a reset another. */
export const useColors = (session: DraftSession): Colors => {
  const choose = (colors: Partial<QuizColors>, burst: string | null): void =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, ...colors } }), {
      burst,
      ...SAVING.colors,
    })
  return {
    change: (name, color) => choose({ [name]: color }, name),
    reset: () => choose(NO_COLORS, null),
  }
}
