import { groupIntoPages, indexOfPage } from '#domain/questionnaire/pages.ts'
import { isSondage, type Replies } from '#domain/questionnaire/quiz.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { firstIndex, NEW_RUN, nextPageIndex, nextRun, type Run } from '#web/player/run/run.ts'
import { END, WELCOME } from './preview-path.ts'

/**
 * Returns a new run at a start page of the preview. Only a sondage can open at its end, because the end of a quiz
 * depends on the replies.
 */
export const startRunAt = (
  snapshot: Pick<RichSnapshot, 'quiz' | 'questions' | 'text_blocks'>,
  start_page: number,
): Run => {
  if (start_page <= WELCOME) return { ...NEW_RUN, page_index: firstIndex(snapshot) }
  const pages = groupIntoPages(snapshot)
  if (start_page === END && isSondage(snapshot.quiz))
    return { ...NEW_RUN, page_index: pages.length, is_finished: true }
  return { ...NEW_RUN, page_index: indexOfPage(pages, start_page) }
}

/** Rules for example runs, in which text questions have no replies. */
const EXAMPLE_RULES = { ...PUBLIC_RULES, needs_every_answer: false }

/** Returns a run at its end with these replies; on its last page if they no longer lead to the end. */
export const completeRun = (snapshot: RichSnapshot, replies: Replies): Run => {
  const pages = groupIntoPages(snapshot)
  const page_index = nextPageIndex({ snapshot, pages }, { page_index: pages.length, replies }, -1)
  const last = { ...NEW_RUN, page_index, replies }
  return nextRun({ snapshot, pages, rules: EXAMPLE_RULES }, last, { kind: 'next' })
}
