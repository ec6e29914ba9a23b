import { pagesLeftOut } from './path.ts'
import type { Snapshot } from './snapshot.ts'
import {
  type StoredReplies,
  unpackReplies,
  type WrittenReply,
  writeReply,
} from './stored-replies.ts'

/** One page of a run with the replies to its questions. */
export type TakenPage = {
  page_number: number
  /** The run went past it: its questions were not seen, and are not listed. */
  is_left_out: boolean
  answers: WrittenReply[]
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
        answers: seen.map((question) => writeReply(question, replies)),
      }
    },
  )
}
