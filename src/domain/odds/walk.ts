import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import type { Choice } from '#domain/run/possible-choices.ts'
import { maxChoicesOf, scaleOf } from '#domain/run/replies.ts'
import { WalkStates } from './walk-states.ts'

/** Choice with its packed points. */
type Packed = Choice & { words: readonly number[] }
/** Question with its choices. */
export type WalkStep = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly Packed[]
}

/**
 * State of a run on its path. `on` is the page of the last jump, 0 if the run has left that page. Pages before
 * `from`, the target, are skipped.
 */
type PathState = { on: number; from: number }
/** States of the runs by path state. */
export type StatesByPath = Map<string, { way: PathState; states: WalkStates }>

/** Result of walking all runs. */
export type WalkResult = {
  /** States at the end of the runs. */
  ends: WalkStates
  /** States before each step, and at the end. */
  fronts: StatesByPath[]
}

/** Limits of the enumeration. */
export type WalkLimits = {
  /** Maximum number of states before one step. */
  most_states: number
  /** Maximum sum of states times choices over all steps, which limits time and memory. */
  most_work: number
}

/** Path state of a run without a jump. */
const NO_JUMP: PathState = { on: 0, from: 0 }
/** Returns the key of a path state. */
const keyOfPathState = ({ on, from }: PathState): string => `${on} ${from}`

/**
 * Walks all runs question by question, and returns the probability of each final state. Null beyond the limits, which
 * is predicted early because the number of states hardly ever decreases.
 */
export const walkAll = (
  steps: readonly WalkStep[],
  { first, limits }: { first: readonly number[]; limits: WalkLimits },
): WalkResult | null => {
  const begun = new WalkStates(first.length)
  begun.add(first, 1)
  let front: StatesByPath = new Map([[keyOfPathState(NO_JUMP), { way: NO_JUMP, states: begun }]])
  const fronts = [front]
  const exceedsLimits = createLimitPrediction(steps, limits)
  for (const [index, step] of steps.entries()) {
    if (exceedsLimits(index, sizeOf(front))) return null
    front = passStep(front, step, first.length)
    fronts.push(front)
  }
  const ends = new WalkStates(first.length)
  for (const { states } of front.values()) ends.addAll(states, zeros(first.length), 1)
  return ends.size > limits.most_states ? null : { ends, fronts }
}

/**
 * Returns a function that predicts before each step whether the limits will be exceeded. It assumes that each choice
 * adds at least as many states as in the last step, because sums spread with each question.
 */
const createLimitPrediction = (
  steps: readonly WalkStep[],
  { most_states, most_work }: WalkLimits,
): ((index: number, nb_states: number) => boolean) => {
  let work = 0
  let before = 0
  return (index, nb_states) => {
    const growth = Math.max(0, nb_states - before) / (steps[index - 1]?.choices.length ?? 1)
    before = nb_states
    let [states, ahead] = [nb_states, 0]
    for (const { choices } of steps.slice(index)) {
      ahead += states * choices.length
      states += index > 0 ? growth * choices.length : 0
    }
    const isBeyond = states > most_states || work + ahead > most_work
    work += nb_states * (steps[index]?.choices.length ?? 0)
    return isBeyond
  }
}

const zeros = (nb_words: number): number[] => Array(nb_words).fill(0)

const sizeOf = (front: StatesByPath): number =>
  [...front.values()].reduce((sum, { states }) => sum + states.size, 0)

/** Returns the path state on a page. A jump ends when its target is reached. */
const pathStateAt = (way: PathState, page_number: number): PathState => {
  if (page_number >= way.from) return way.on === page_number ? way : NO_JUMP
  return way.on === page_number || way.on === 0 ? way : { on: 0, from: way.from }
}

/** Returns true if a run visits the page. */
const isPageVisited = (way: PathState, page_number: number): boolean =>
  way.on === page_number || page_number >= way.from

/** Returns the path state after a choice. The first jump of a page decides. */
const pathStateAfter = (
  way: PathState,
  { leads_to }: Pick<Choice, 'leads_to'>,
  page_number: number,
): PathState =>
  leads_to === null || way.on === page_number ? way : { on: page_number, from: leads_to }

const passStep = (
  front: StatesByPath,
  { question, choices }: WalkStep,
  nb_words: number,
): StatesByPath => {
  const { page_number } = question
  const after: StatesByPath = new Map()
  const statesOf = (way: PathState): WalkStates => {
    const name = keyOfPathState(way)
    const known = after.get(name) ?? { way, states: new WalkStates(nb_words) }
    after.set(name, known)
    return known.states
  }
  for (const { way: before, states } of front.values()) {
    const way = pathStateAt(before, page_number)
    if (!isPageVisited(way, page_number)) {
      statesOf(way).addAll(states, zeros(nb_words), 1)
      continue
    }
    for (const choice of choices)
      statesOf(pathStateAfter(way, choice, page_number)).addAll(states, choice.words, choice.share)
  }
  return after
}

/** Returns the chosen ranks by question of the most likely run that ends in this state. */
export const findLikeliestRun = (
  steps: readonly WalkStep[],
  fronts: readonly StatesByPath[],
  end: readonly number[],
): Map<string, readonly number[]> => {
  const run = new Map<string, readonly number[]>()
  let at: Place = { words: end, name: likeliest(fronts.at(-1) ?? new Map(), end) }
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] as WalkStep
    const before = stepBack(fronts[index] as StatesByPath, step, at)
    if (!before) throw new Error('A state is reached by no run')
    if (before.choice) run.set(step.question.id, before.choice.ranks)
    at = before
  }
  return run
}

const likeliest = (front: StatesByPath, words: readonly number[]): string => {
  const shares = [...front].map(([name, { states }]) => ({ name, share: states.get(words) }))
  return shares.reduce((best, one) => (one.share > best.share ? one : best), {
    name: '',
    share: 0,
  }).name
}

/** State with the key of its path state. */
type Place = { words: readonly number[]; name: string }
type Before = Place & { choice: Choice | null; share: number }

const stepBack = (
  front: StatesByPath,
  { question: { page_number }, choices }: WalkStep,
  { words, name }: Place,
): Before | undefined => {
  const found: Before[] = []
  for (const [from, { way: before, states }] of front) {
    const way = pathStateAt(before, page_number)
    if (!isPageVisited(way, page_number)) {
      if (keyOfPathState(way) === name)
        found.push({ words, name: from, choice: null, share: states.get(words) })
      continue
    }
    for (const choice of choices) {
      if (keyOfPathState(pathStateAfter(way, choice, page_number)) !== name) continue
      const earlier = words.map((sum, word) => sum - (choice.words[word] ?? 0))
      const reached = states.get(earlier)
      const share = reached && Math.max(reached * choice.share, Number.MIN_VALUE)
      found.push({ words: earlier, name: from, choice, share })
    }
  }
  return found.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share)[0]
}

/**
 * Returns the number of runs that differ in an answer, a scale number or a skipped question; texts do not count. Null
 * if a double cannot hold the number exactly.
 */
export const countCombinations = (questions: readonly SnapshotQuestion[]): number | null => {
  let runs = new Map([[keyOfPathState(NO_JUMP), { way: NO_JUMP, count: 1 }]])
  for (const question of questions) {
    const { page_number } = question
    const replies = repliesByPage(question)
    const after: typeof runs = new Map()
    const add = (way: PathState, count: number): void => {
      const name = keyOfPathState(way)
      after.set(name, { way, count: (after.get(name)?.count ?? 0) + count })
    }
    for (const { way: before, count } of runs.values()) {
      const way = pathStateAt(before, page_number)
      if (!isPageVisited(way, page_number)) add(way, count)
      else
        for (const [leads_to, nb_replies] of replies)
          add(pathStateAfter(way, { leads_to }, page_number), count * nb_replies)
    }
    runs = after
  }
  const count = [...runs.values()].reduce((sum, one) => sum + one.count, 0)
  return count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** Returns the number of replies to a question by target page; null means the following page. */
const repliesByPage = (question: SnapshotQuestion): Map<number | null, number> => {
  const blank = question.is_required === false ? 1 : 0
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return new Map([[null, to - from + 1 + blank]])
  }
  if (!isChoice(question)) return new Map([[null, 1]])
  const { answers, has_other } = question
  const most = maxChoicesOf(question)
  const jumps = answers
    .map((answer) => jumpTargetOf(answer, question))
    .filter((to) => to !== undefined)
  const nb_still = answers.length + (has_other ? 1 : 0) - jumps.length
  // A question without answers has one way to continue.
  const nb_next = nbSets(nb_still, most) - 1 + blank || (jumps.length > 0 ? 0 : 1)
  const counts = new Map<number | null, number>(nb_next > 0 ? [[null, nb_next]] : [])
  for (const [rank, to] of jumps.entries()) {
    // The first chosen answer with a jump decides.
    const nb_beside = nb_still + jumps.length - rank - 1
    counts.set(to, (counts.get(to) ?? 0) + nbSets(nb_beside, most - 1))
  }
  return counts
}

/** Returns the number of subsets with at most `most` elements, the empty set included. */
const nbSets = (count: number, most: number): number => {
  /** Row of Pascal's triangle by size, because factorials would lose precision. */
  const sets = [1]
  for (let nb = 1; nb <= count; nb++)
    for (let size = Math.min(nb, most); size > 0; size--)
      sets[size] = (sets[size] ?? 0) + (sets[size - 1] ?? 0)
  return sets.reduce((sum, one) => sum + one, 0)
}
