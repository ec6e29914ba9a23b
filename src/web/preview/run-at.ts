import { groupIntoPages, indexOfPage } from '#domain/pages.ts'
import { isSondage } from '#domain/quiz.ts'
import type { RichSnapshot } from '#domain/rich-text.ts'
import { firstIndex, NEW_RUN, type Run } from '#web/player/run.ts'
import { END, WELCOME } from './places.ts'

/** A new run at a place. Only the end of a sondage is the same whatever was answered. */
export const runAt = (
  snapshot: Pick<RichSnapshot, 'quiz' | 'questions' | 'text_blocks'>,
  place: number,
): Run => {
  if (place <= WELCOME) return { ...NEW_RUN, page_index: firstIndex(snapshot) }
  const pages = groupIntoPages(snapshot)
  if (place === END && isSondage(snapshot.quiz))
    return { ...NEW_RUN, page_index: pages.length, is_finished: true }
  return { ...NEW_RUN, page_index: indexOfPage(pages, place) }
}
