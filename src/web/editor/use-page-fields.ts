import type { QuizPage, QuizTies } from '#domain/quiz.ts'
import type { DraftSession } from './draft/draft-session.ts'
import { SAVING } from './draft/use-draft.ts'

export type ChangePage = (fields: Partial<QuizPage & QuizTies>) => void

/** Changes welcome, end and what the results have in common in the draft; typing in one field is one undo step. */
export const usePageFields =
  (session: DraftSession): ChangePage =>
  (fields) =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, ...fields } }), {
      burst: Object.keys(fields).join(' '),
      ...SAVING.page,
    })
