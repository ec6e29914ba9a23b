import { hasUnseenCorrections } from '#domain/run/corrections/corrections.ts'
import type { SnapshotPage } from '#domain/run/submission-checks.ts'
import type { SecondFileParts } from '#web/player/parts.ts'
import type { Run } from '#web/player/run/run.ts'

/** Returns the run after the corrections of a page are shown: the replies to its questions stay. */
export const withFrozenReplies = (run: Run, { items }: SnapshotPage): Run => ({
  ...run,
  locked: [
    ...(run.locked ?? []),
    ...items.flatMap((item) => (item.kind === 'question' ? item.question.id : [])),
  ],
})

/** Returns the run whose page shows its corrections; undefined if the page has none to show before the next page. */
export const freezeReplies: SecondFileParts['freezeReplies'] = ({ quiz }, page, run) =>
  !run.is_finished && hasUnseenCorrections(quiz.shows_corrections, page, run.locked)
    ? withFrozenReplies(run, page)
    : undefined
