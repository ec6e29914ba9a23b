import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { leadsTo } from '#domain/run/path.ts'
import {
  type Asked,
  type Choice,
  type ChosenRanks,
  choicesOf,
  type Likelihoods,
  repliesOf,
  usableLikelihoods,
} from '#domain/run/possible-choices.ts'
import type { Scorable } from '#domain/run/scoring.ts'
import { endOf, nbOutcomes, type ScoringScheme, schemeOf } from './outcomes.ts'
import { type Chosen, choicesInRun, simulateRuns } from './simulation.ts'
import { createStages, type Packing, packingOf } from './stages.ts'
import { countCombinations, type Limits, runTo, type Step, walkAll } from './walk.ts'

/** How likely one result is. */
type ResultOdds = {
  id: string
  name: string
  /** From 0 to 1; above 0 whenever a run is known that gives it. */
  probability: number
  /** Replies that give it; null where none is known. */
  example: Replies | null
}

export type Odds = {
  /** False where runs were drawn, since their states are too many to go through. */
  is_exact: boolean
  /** Half the width of the interval that holds each probability at least 19 times out of 20; 0 where exact. */
  margin: number
  /** How many runs were drawn; 0 where exact. */
  nb_draws: number
  /** How many runs there are that differ in an answer; null beyond the whole numbers that are exact. */
  nb_combinations: number | null
  /** In their order. A run that nothing matches counts for the first, which it gets. */
  results: ResultOdds[]
  /** Of runs of which two results have as much, unless a question settles it, or whose total two tiers hold. */
  tie: number
  /** Of runs that nothing matches. */
  no_match: number
  /** By score: each total that runs have, ascending. */
  totals: { total: number; probability: number }[]
}

/** How likely the replies to each question are, by its id; without them all are equally likely. */
export type GivenLikelihoods = ReadonlyMap<string, Likelihoods>

/** How far every run is gone through, and how many are drawn beyond that. */
export type OddsLimits = Limits & { most_choices: number; nb_draws: number }
/** `most_work` holds what is exact to the time of what is drawn, or little more. */
const LIMITS: OddsLimits = {
  most_states: 200_000,
  most_work: 4_000_000,
  most_choices: 2_000,
  nb_draws: 200_000,
}
const SEED = 20_260
/** Of a normal distribution: 19 out of 20 lie within so many standard deviations. */
const DEVIATIONS = 1.96
/** Of whether a run ends in a way or not, when it does half of the time. */
const LARGEST_VARIANCE = 0.25

/** What the two ways of computing have in common. */
type Task = {
  counted: Scorable
  scheme: ScoringScheme
  asked: Asked[]
  packing: Packing
  limits: OddsLimits
}

/**
 * How likely each result is before anyone has answered, from every possible run: exact as long as their states can be
 * gone through, else from runs that are drawn, always the same ones. Null of a questionnaire that computes no result.
 */
export const oddsOf = (
  counted: Scorable,
  given: GivenLikelihoods = new Map(),
  limits: OddsLimits = LIMITS,
): Odds | null => {
  const scheme = schemeOf(counted)
  if (!scheme) return null
  const { adds, addsOfNumber, size } = scheme
  const nothing: number[] = Array(size).fill(0)
  const asked = counted.questions
    .filter((question) => decides(question, counted))
    .map((question): Asked => {
      const likelihoods = usableLikelihoods(question, given.get(question.id))
      const reading = { likelihoods, adds, addsOfNumber, nothing }
      return { question, reading, choices: choicesOf(question, reading, limits.most_choices) }
    })
  const packing = packingOf(asked.map(boundsOf), size)
  const task = { counted, scheme, asked, packing, limits }
  return exactOdds(task) ?? drawnOdds(task)
}

/** Whether anything depends on the reply to a question. */
const decides = (question: SnapshotQuestion, { quiz_mode }: Scorable): boolean => {
  if (question.type === 'scale') return quiz_mode === 'score' && question.counts_in_score === true
  if (!isChoice(question)) return false
  return question.answers.some(
    (answer) =>
      leadsTo(answer, question) !== undefined ||
      (quiz_mode === 'score' ? Boolean(answer.score) : answer.associations.length > 0),
  )
}

/** Choices that are as far from each other as any that a question has. */
const boundsOf = ({ question, reading, choices }: Asked): Pick<Choice, 'adds'>[] => {
  if (choices) return choices
  // The sum of all answers is further than that of any set of them.
  const far = (pick: (...values: number[]) => number): Pick<Choice, 'adds'> => {
    const all = question.answers.map(reading.adds)
    return {
      adds: reading.nothing.map((_, at) =>
        all.reduce((sum, added) => sum + pick(0, added[at] ?? 0), 0),
      ),
    }
  }
  return [far(Math.min), far(Math.max)]
}

/** What all runs come to, whichever way they are gone through. */
type Counts = Pick<Odds, 'tie' | 'no_match'> & { shares: number[]; totals: Map<number, number> }

/** How likely each outcome is, put together; `totals` are those of a quiz by score. */
const countsOf = (
  { counted: { results } }: Task,
  outcomes: ReadonlyMap<number, number>,
  totals: Map<number, number>,
): Counts => {
  const counts: Counts = { shares: results.map(() => 0), tie: 0, no_match: 0, totals }
  for (const [outcome, share] of outcomes) {
    const { index, is_tie, is_match } = endOf(outcome)
    counts.shares[index] = (counts.shares[index] ?? 0) + share
    if (is_tie) counts.tie += share
    if (!is_match) counts.no_match += share
  }
  return counts
}

const oddsFrom = (
  { counted }: Task,
  { shares, tie, no_match, totals }: Counts,
  more: Pick<Odds, 'is_exact' | 'margin' | 'nb_draws'> & { runs: ReadonlyMap<number, ChosenRanks> },
): Odds => ({
  is_exact: more.is_exact,
  margin: more.margin,
  nb_draws: more.nb_draws,
  nb_combinations: countCombinations(counted.questions),
  results: inResultOrder(counted.results).map(({ id, name }, index) => {
    const run = more.runs.get(index)
    const example = run ? repliesOf(counted.questions, run) : null
    return { id, name, probability: shares[index] ?? 0, example }
  }),
  tie,
  no_match,
  totals: [...totals]
    .map(([total, probability]) => ({ total, probability }))
    .sort((a, b) => a.total - b.total),
})

const increase = (of: Map<number, number>, key: number, by: number): void => {
  of.set(key, (of.get(key) ?? 0) + by)
}

const exactOdds = (task: Task): Odds | null => {
  const { counted, asked, scheme, packing, limits } = task
  const steps: Step[] = []
  for (const { question, choices } of asked) {
    if (!choices) return null
    const packed = choices.map((choice) => ({ ...choice, words: packing.pack(choice.adds) }))
    steps.push({ question, choices: packed })
  }
  const walked = walkAll(steps, { first: packing.first, limits })
  if (!walked) return null
  const outcomes = new Map<number, number>()
  const totals = new Map<number, number>()
  const sums = new Float64Array(scheme.size)
  const likeliest = new Map<number, { end: number[]; share: number }>()
  walked.ends.forEach((words, share) => {
    const outcome = scheme.outcomeOf(packing.unpack(words, sums))
    increase(outcomes, outcome, share)
    if (counted.quiz_mode === 'score') increase(totals, sums[0] as number, share)
    const { index } = endOf(outcome)
    if (share > (likeliest.get(index)?.share ?? 0)) likeliest.set(index, { end: [...words], share })
  })
  const runs = new Map<number, ChosenRanks>()
  for (const [index, { end }] of likeliest) runs.set(index, runTo(steps, walked.fronts, end))
  return oddsFrom(task, countsOf(task, outcomes, totals), {
    is_exact: true,
    margin: 0,
    nb_draws: 0,
    runs,
  })
}

const drawnOdds = (task: Task): Odds => {
  const { counted, asked, scheme, packing, limits } = task
  const { nb_draws } = limits
  const totals = new Map<number, number>()
  const isScore = counted.quiz_mode === 'score'
  const drawing = { stages: createStages(asked, packing), first: packing.first, seed: SEED }
  const sums = new Float64Array(scheme.size)
  const nb_runs = new Uint32Array(nbOutcomes(counted.results.length))
  const firsts = new Int32Array(nb_runs.length)
  simulateRuns(drawing, nb_draws, (words, run) => {
    const outcome = scheme.outcomeOf(packing.unpack(words, sums))
    if (nb_runs[outcome] === 0) firsts[outcome] = run
    nb_runs[outcome] = (nb_runs[outcome] as number) + 1
    if (isScore) increase(totals, sums[0] as number, 1 / nb_draws)
  })
  const outcomes = new Map<number, number>()
  const runs = new Map<number, ChosenRanks>()
  for (const [outcome, nb] of nb_runs.entries()) {
    if (nb === 0) continue
    outcomes.set(outcome, nb / nb_draws)
    const { index } = endOf(outcome)
    if (!runs.has(index)) runs.set(index, ranksOf(choicesInRun(drawing, firsts[outcome] as number)))
  }
  const counts = countsOf(task, outcomes, totals)
  const margin = DEVIATIONS * Math.sqrt(LARGEST_VARIANCE / nb_draws)
  return oddsFrom(task, counts, { is_exact: false, margin, nb_draws, runs })
}

/** A question of which several stages draw has what all of them chose. */
const ranksOf = (chosen: readonly Chosen[]): ChosenRanks => {
  const ranks = new Map<string, readonly number[]>()
  for (const one of chosen)
    ranks.set(one.question_id, [...(ranks.get(one.question_id) ?? []), ...one.ranks])
  return ranks
}
