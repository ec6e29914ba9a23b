import type { Comparison } from './periods.ts'
import { type FunnelStep, worstStep } from './visits.ts'

/** Input of the findings: figures of a screen and of the days before. */
export type FindingsInput = {
  nb_participants: number
  /** Null if a filter excludes visits. The newest version is first, and is the one that the funnel shows. */
  visits: readonly { has_jumps: boolean; steps: readonly FunnelStep[] }[] | null
  /** Null without a period, or if nothing was counted before it; `now` has only the compared days. */
  compared: { comparison: Comparison; now: ComparedTotals; before: ComparedTotals } | null
  /** `resultShares` without the line of participants without a result. */
  results: readonly { result_name: string; count: number; percentage: number }[]
  questions: readonly { question_text: string; nb_seen: number; nb_answered: number }[]
  duration: { count: number; median_seconds: number } | null
}
/** Null means not counted. */
type ComparedTotals = { nb_participants: number | null; nb_opened: number | null }

/** Finding that a screen tells in a sentence: a part of a total, or a comparison of periods. */
export type Finding =
  | { kind: 'loss'; step: Pick<FunnelStep, 'kind' | 'page'>; count: number; total: number }
  | {
      kind: 'change'
      counted: 'participants' | 'opened'
      now: number
      before: number
      comparison: Comparison
    }
  | { kind: 'result'; result_name: string; count: number; total: number; percentage: number }
  | { kind: 'skipped'; question_text: string; count: number; total: number }
  | { kind: 'slow'; median_seconds: number }

/** Minimum number of participants, because one person is 3.4 % or more of a smaller group. */
export const MIN_PARTICIPANTS_FOR_FINDINGS = 30
/** Minimum loss of a step, because smaller losses occur on every page. */
const MIN_LOSS = 0.1
const MIN_CHANGE = 0.1
/** Standard deviations that a change must exceed, so that chance explains one change in twenty. */
const MIN_STANDARD_DEVIATIONS = 2
const NEARLY_ALL = 0.9
const NEARLY_NONE = 0.02
/** Minimum number of participants per result, if they were evenly distributed, before a rare result is mentioned. */
const MIN_EVEN_SHARE = 10
const MIN_BLANK_SHARE = 0.3
/** Usual maximum duration for each question and in total. */
const USUAL_DURATION = { seconds_per_question: 45, seconds: 180 }
const MAX_FINDINGS = 2

/**
 * Returns at most two findings that are not obvious from the figures, the most helpful first. All numbers come from
 * the input.
 */
export const findings = (input: FindingsInput): Finding[] =>
  [
    findLargestLoss(input),
    findChange(input),
    resultOf(input),
    findMostSkippedQuestion(input),
    findSlowRuns(input),
  ]
    .filter((finding) => finding !== null)
    .slice(0, MAX_FINDINGS)

/**
 * Returns the step with the largest loss. Skipped for versions with jumps, whose later steps do not tell who stopped.
 */
const findLargestLoss = ({ visits }: FindingsInput): Finding | null => {
  const [shown] = visits ?? []
  const rank = shown && !shown.has_jumps ? worstStep(shown.steps) : null
  const step = rank === null ? undefined : shown?.steps[rank]
  const next = rank === null ? undefined : shown?.steps[rank + 1]
  if (!step || !next || step.count < MIN_PARTICIPANTS_FOR_FINDINGS) return null
  const count = step.count - next.count
  if (count < MIN_LOSS * step.count) return null
  return { kind: 'loss', step: { kind: step.kind, page: step.page }, count, total: step.count }
}

/** Returns the largest change of participants or visits that chance does not explain. */
const findChange = ({ compared }: FindingsInput): Finding | null => {
  if (!compared) return null
  const { comparison, now, before } = compared
  const all = [
    { counted: 'participants' as const, now: now.nb_participants, before: before.nb_participants },
    { counted: 'opened' as const, now: now.nb_opened, before: before.nb_opened },
  ]
  const strong = all.flatMap(({ counted, now, before }) =>
    now !== null && before !== null && isStrong(now, before)
      ? [{ kind: 'change' as const, counted, now, before, comparison }]
      : [],
  )
  return strong.sort((a, b) => sizeOf(b) - sizeOf(a))[0] ?? null
}

const sizeOf = ({ now, before }: { now: number; before: number }): number =>
  Math.abs(now - before) / before

/** The standard deviation of the difference of two random counts is the square root of their sum. */
const isStrong = (now: number, before: number): boolean =>
  before >= MIN_PARTICIPANTS_FOR_FINDINGS &&
  sizeOf({ now, before }) >= MIN_CHANGE &&
  Math.abs(now - before) > MIN_STANDARD_DEVIATIONS * Math.sqrt(now + before)

/** Returns the result that nearly all participants have, else the result that nearly none has. */
const resultOf = ({ results, nb_participants: total, visits }: FindingsInput): Finding | null => {
  if (total < MIN_PARTICIPANTS_FOR_FINDINGS || results.length < 2) return null
  const sorted = [...results].sort((a, b) => b.count - a.count)
  const [max, least] = [sorted[0], sorted.at(-1)]
  if (max && max.count >= NEARLY_ALL * total) return describeResult(max, total)
  // With several versions, not all participants could get each result.
  const isOneVersion = visits?.length === 1
  const isRare =
    least && least.count <= NEARLY_NONE * total && total >= MIN_EVEN_SHARE * results.length
  if (!isOneVersion || !isRare) return null
  return describeResult(least, total)
}

const describeResult = (
  { result_name, count, percentage }: FindingsInput['results'][number],
  total: number,
): Finding => ({ kind: 'result', result_name, count, total, percentage })

/** Returns the question that the largest share of its viewers left blank. */
const findMostSkippedQuestion = ({ questions }: FindingsInput): Finding | null => {
  const all = questions
    .filter(({ nb_seen }) => nb_seen >= MIN_PARTICIPANTS_FOR_FINDINGS)
    .map(({ question_text, nb_seen: total, nb_answered }) => ({
      kind: 'skipped' as const,
      question_text,
      count: total - nb_answered,
      total,
    }))
    .filter(({ count, total }) => count >= MIN_BLANK_SHARE * total)
    .sort((a, b) => b.count / b.total - a.count / a.total)
  return all[0] ?? null
}

const findSlowRuns = ({ duration, questions }: FindingsInput): Finding | null => {
  if (!duration || duration.count < MIN_PARTICIPANTS_FOR_FINDINGS) return null
  const { median_seconds } = duration
  const usual = Math.max(
    USUAL_DURATION.seconds,
    USUAL_DURATION.seconds_per_question * questions.length,
  )
  return median_seconds > usual ? { kind: 'slow', median_seconds } : null
}
