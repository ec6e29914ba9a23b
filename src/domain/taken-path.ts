import { pagesLeftOut } from './path.ts'
import { replyWords } from './replies.ts'
import type { Snapshot } from './snapshot.ts'
import { type StoredReplies, unpackReplies } from './stored-replies.ts'

/** One page of a run with its questions; `answer_text` is '' of what was left blank. */
export type TakenPage = {
  page_number: number
  /** The run went past it: its questions were not seen, and are not listed. */
  is_left_out: boolean
  answers: { question_text: string; answer_text: string }[]
}

/** The pages with questions of a version, in order, as one participant took them or went past them. */
export const takenPath = (
  { questions }: Pick<Snapshot, 'questions'>,
  stored: StoredReplies,
): TakenPage[] => {
  const replies = unpackReplies({ questions }, stored)
  const isLeftOut = pagesLeftOut(questions, replies)
  return [...Map.groupBy(questions, ({ page_number }) => page_number)].map(
    ([page_number, asked]) => {
      const is_left_out = isLeftOut(page_number)
      const seen = is_left_out ? [] : asked
      return {
        page_number,
        is_left_out,
        answers: seen.map((question) => ({
          question_text: question.text,
          answer_text: replyWords(question, replies),
        })),
      }
    },
  )
}
