import { groupIntoPages, indexOfPage } from '#domain/questionnaire/pages.ts'
import { isSondage, type Replies } from '#domain/questionnaire/quiz.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { firstPageIndex, NEW_RUN, nextPageIndex, nextRun, type Run } from '#web/player/run/run.ts'
import { END, type PreviewPlace, type ResultPlace, WELCOME } from './preview-path.ts'

/**
 * Returns a new run at a place of the preview. Only a sondage can open at its end without a result, because the end of
 * a quiz depends on the replies.
 */
export const startRunAt = (snapshot: RichSnapshot, place: PreviewPlace): Run => {
  if (typeof place === 'object') return endRunWith(snapshot, place)
  if (place <= WELCOME) return { ...NEW_RUN, page_index: firstPageIndex(snapshot) }
  const pages = groupIntoPages(snapshot)
  if (place === END && isSondage(snapshot.quiz))
    return { ...NEW_RUN, page_index: pages.length, is_finished: true }
  return { ...NEW_RUN, page_index: indexOfPage(pages, place) }
}

/** Rules for example runs, in which text questions have no replies. */
const EXAMPLE_RULES = { ...PUBLIC_RULES, needs_every_answer: false }

/** Returns a run at its end with these replies; on its last page if they no longer lead to the end. */
export const completeRun = (snapshot: RichSnapshot, replies: Replies): Run => {
  const pages = groupIntoPages(snapshot)
  const page_index = nextPageIndex({ snapshot, pages }, { page_index: pages.length, replies }, -1)
  const last = { ...NEW_RUN, page_index, replies }
  const run = nextRun({ snapshot, pages, rules: EXAMPLE_RULES }, last, { kind: 'next' })
  return run.is_finished ? { ...run, detail: resultDetail(snapshot, replies) } : run
}

/**
 * Returns a run at its end with a result: the run of the example if its replies still give the result, otherwise an end
 * without replies. An unknown result gives a run at its beginning.
 */
const endRunWith = (snapshot: RichSnapshot, { result_id, example }: ResultPlace): Run => {
  const run = example && completeRun(snapshot, example)
  if (run?.result?.id === result_id) return run
  const result = snapshot.results.find(({ id }) => id === result_id)
  if (!result) return startRunAt(snapshot, WELCOME)
  const page_index = groupIntoPages(snapshot).length
  return { ...NEW_RUN, page_index, is_finished: true, result, detail: null }
}
