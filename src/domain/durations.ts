/** Longer than two hours is counted as two hours: the page was left open. */
export const MOST_SECONDS = 7_200

/** How many participants took so many whole seconds. */
export type DurationCount = { seconds: number; count: number }

/** How long the participants took whose time is known; `is_more` when the half took `seconds` or more. */
export type DurationSummary = { count: number; median_seconds: number; is_more: boolean }

/**
 * The median time to finish, exact from counts; null when no time is known. Between the two in the
 * middle it is their mean.
 */
export const durationSummary = (counts: readonly DurationCount[]): DurationSummary | null => {
  const sorted = counts.filter(({ count }) => count > 0).sort((a, b) => a.seconds - b.seconds)
  const count = sorted.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return null
  const upper = secondsAt(sorted, Math.floor(count / 2))
  const lower = secondsAt(sorted, Math.floor((count - 1) / 2))
  return { count, median_seconds: (lower + upper) / 2, is_more: upper >= MOST_SECONDS }
}

/** What the participant of this rank took, the quickest being 0. */
const secondsAt = (sorted: readonly DurationCount[], rank: number): number => {
  let before = 0
  for (const { seconds, count } of sorted) {
    before += count
    if (rank < before) return seconds
  }
  return 0
}
