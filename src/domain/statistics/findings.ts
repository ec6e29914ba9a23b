import type { Comparison } from './periods.ts'
import { type FunnelStep, worstStep } from './visits.ts'

/** What the sentences are made of: part of the figures of a screen, and of those of the days before. */
export type FindingsInput = {
  nb_participants: number
  /** Null under filters that visits do not have; the newest version first, which is the one that is drawn. */
  visits: readonly { has_jumps: boolean; steps: readonly FunnelStep[] }[] | null
  /** Null without a period, or where nothing was counted before it; `now` is of its days that are compared. */
  compared: { comparison: Comparison; now: Compared; before: Compared } | null
  /** `resultShares`, without the line of those who got none. */
  results: readonly { result_name: string; count: number; percentage: number }[]
  questions: readonly { question_text: string; nb_seen: number; nb_answered: number }[]
  duration: { count: number; median_seconds: number } | null
}
/** Null of what was not counted. */
type Compared = { nb_participants: number | null; nb_opened: number | null }

/** Something worth saying in a sentence: `count` of `total`, or the numbers of some days and of those before. */
export type Finding =
  | { kind: 'loss'; step: Pick<FunnelStep, 'kind' | 'page'>; count: number; total: number }
  | {
      kind: 'change'
      of: 'participants' | 'opened'
      now: number
      before: number
      comparison: Comparison
    }
  | { kind: 'result'; result_name: string; count: number; total: number; percentage: number }
  | { kind: 'skipped'; question_text: string; count: number; total: number }
  | { kind: 'slow'; median_seconds: number }

/** Of fewer people than this nothing is said: one of them is more than three percent. */
export const MIN_PARTICIPANTS_FOR_FINDINGS = 30
/** Smaller losses are on every page. */
const LEAST_LOSS = 0.1
const LEAST_CHANGE = 0.1
/** How many standard deviations of chance a change exceeds: one in twenty that is none does. */
const SIGMAS = 2
const NEARLY_ALL = 0.9
const NEARLY_NONE = 0.02
/** The fewest participants that an even split must give each result before a rare one is mentioned. */
const FEWEST_EVEN = 10
const LEAST_SKIPPED = 0.3
/** Longer than this for each question, and in all, is more than reading and choosing take. */
const SLOW = { seconds_per_question: 45, seconds: 180 }
const MOST_FINDINGS = 2

/**
 * What the figures say that a creator would not see at once, what helps most first, two at most. Every
 * number in it is one of the input; of too few people nothing is said.
 */
export const findings = (input: FindingsInput): Finding[] =>
  [lossOf(input), changeOf(input), resultOf(input), skippedOf(input), slowOf(input)]
    .filter((finding) => finding !== null)
    .slice(0, MOST_FINDINGS)

/** The worst step of the funnel that is drawn. Where answers lead past pages a later step does not tell who stopped. */
const lossOf = ({ visits }: FindingsInput): Finding | null => {
  const [shown] = visits ?? []
  const rank = shown && !shown.has_jumps ? worstStep(shown.steps) : null
  const step = rank === null ? undefined : shown?.steps[rank]
  const next = rank === null ? undefined : shown?.steps[rank + 1]
  if (!step || !next || step.count < MIN_PARTICIPANTS_FOR_FINDINGS) return null
  const count = step.count - next.count
  if (count < LEAST_LOSS * step.count) return null
  return { kind: 'loss', step: { kind: step.kind, page: step.page }, count, total: step.count }
}

/** The strongest change since the days before, of participants or of visits, when it is more than chance. */
const changeOf = ({ compared }: FindingsInput): Finding | null => {
  if (!compared) return null
  const { comparison, now, before } = compared
  const all = [
    { of: 'participants' as const, now: now.nb_participants, before: before.nb_participants },
    { of: 'opened' as const, now: now.nb_opened, before: before.nb_opened },
  ]
  const strong = all.flatMap(({ of, now, before }) =>
    now !== null && before !== null && isStrong(now, before)
      ? [{ kind: 'change' as const, of, now, before, comparison }]
      : [],
  )
  return strong.sort((a, b) => sizeOf(b) - sizeOf(a))[0] ?? null
}

const sizeOf = ({ now, before }: { now: number; before: number }): number =>
  Math.abs(now - before) / before

/** Two counts of what comes by chance differ by the root of their sum. */
const isStrong = (now: number, before: number): boolean =>
  before >= MIN_PARTICIPANTS_FOR_FINDINGS &&
  sizeOf({ now, before }) >= LEAST_CHANGE &&
  Math.abs(now - before) > SIGMAS * Math.sqrt(now + before)

/** The result whose share is above the upper limit, else the one whose share is below the lower limit. */
const resultOf = ({ results, nb_participants: total, visits }: FindingsInput): Finding | null => {
  if (total < MIN_PARTICIPANTS_FOR_FINDINGS || results.length < 2) return null
  const sorted = [...results].sort((a, b) => b.count - a.count)
  const [most, least] = [sorted[0], sorted.at(-1)]
  if (most && most.count >= NEARLY_ALL * total) return describeResult(most, total)
  // A result of one version among several was not to be had by all.
  const isOneVersion = visits?.length === 1
  const isRare =
    least && least.count <= NEARLY_NONE * total && total >= FEWEST_EVEN * results.length
  if (!isOneVersion || !isRare) return null
  return describeResult(least, total)
}

const describeResult = (
  { result_name, count, percentage }: FindingsInput['results'][number],
  total: number,
): Finding => ({ kind: 'result', result_name, count, total, percentage })

/** The question that the largest share of those who see it leave blank. */
const skippedOf = ({ questions }: FindingsInput): Finding | null => {
  const all = questions
    .filter(({ nb_seen }) => nb_seen >= MIN_PARTICIPANTS_FOR_FINDINGS)
    .map(({ question_text, nb_seen: total, nb_answered }) => ({
      ...{ kind: 'skipped' as const, question_text, count: total - nb_answered, total },
    }))
    .filter(({ count, total }) => count >= LEAST_SKIPPED * total)
    .sort((a, b) => b.count / b.total - a.count / a.total)
  return all[0] ?? null
}

const slowOf = ({ duration, questions }: FindingsInput): Finding | null => {
  if (!duration || duration.count < MIN_PARTICIPANTS_FOR_FINDINGS) return null
  const { median_seconds } = duration
  const usual = Math.max(SLOW.seconds, SLOW.seconds_per_question * questions.length)
  return median_seconds > usual ? { kind: 'slow', median_seconds } : null
}
