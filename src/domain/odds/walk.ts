/**
 * A run is one possible sequence of replies to the visited questions, and a walk enumerates all runs question by
 * question. Runs with equal packed sums and an equal path state share one entry, so that a walk counts more runs than
 * could be listed.
 */
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import type { Choice } from '#domain/run/possible-choices.ts'
import { maxChoicesOf, scaleOf } from '#domain/run/replies.ts'
import { WalkStates } from './walk-states.ts'

/** Choice with its packed points (`Packing`). */
type PackedChoice = Choice & { packed_sums: readonly number[] }
/** Step of a walk: a question with its choices. */
export type WalkStep = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly PackedChoice[]
}

/**
 * Last jump of a run. `jump_page` is the page of the jump, 0 if the run has left that page. Pages before
 * `target_page` are skipped.
 */
type PathState = { jump_page: number; target_page: number }
/** States of the runs by the key of their path state. */
export type StatesByPath = Map<string, { path: PathState; states: WalkStates }>

/** Result of a walk. */
export type WalkResult = {
  /** States at the end of the runs. */
  ends: WalkStates
  /** States before each step; the last element has the states at the end. */
  states_by_step: StatesByPath[]
}

/** Limits of the enumeration. */
export type WalkLimits = {
  /** Maximum number of states before one step. */
  most_states: number
  /** Maximum sum of states times choices over all steps, which limits time and memory. */
  most_work: number
}

/** Path state of a run without a jump. */
const NO_JUMP: PathState = { jump_page: 0, target_page: 0 }
/** Returns the key of a path state. */
const keyOfPathState = ({ jump_page, target_page }: PathState): string =>
  `${jump_page} ${target_page}`

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
  let states_by_path: StatesByPath = new Map([
    [keyOfPathState(NO_JUMP), { path: NO_JUMP, states: begun }],
  ])
  const states_by_step = [states_by_path]
  const exceedsLimits = createLimitPrediction(steps, limits)
  for (const [index, step] of steps.entries()) {
    if (exceedsLimits(index, sizeOf(states_by_path))) return null
    states_by_path = passStep(states_by_path, step, first.length)
    states_by_step.push(states_by_path)
  }
  const ends = new WalkStates(first.length)
  for (const { states } of states_by_path.values()) ends.addAll(states, zeros(first.length), 1)
  return ends.size > limits.most_states ? null : { ends, states_by_step }
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

const sizeOf = (states_by_path: StatesByPath): number =>
  [...states_by_path.values()].reduce((sum, { states }) => sum + states.size, 0)

/** Returns the path state on a page. A jump ends when its target is reached. */
const pathStateAt = (path: PathState, page_number: number): PathState => {
  if (page_number >= path.target_page) return path.jump_page === page_number ? path : NO_JUMP
  return path.jump_page === page_number || path.jump_page === 0
    ? path
    : { jump_page: 0, target_page: path.target_page }
}

/** Returns true if a run visits the page. */
const isPageVisited = (path: PathState, page_number: number): boolean =>
  path.jump_page === page_number || page_number >= path.target_page

/** Returns the path state after a choice. The first jump of a page decides. */
const pathStateAfter = (
  path: PathState,
  { leads_to }: Pick<Choice, 'leads_to'>,
  page_number: number,
): PathState =>
  leads_to === null || path.jump_page === page_number
    ? path
    : { jump_page: page_number, target_page: leads_to }

const passStep = (
  states_by_path: StatesByPath,
  { question, choices }: WalkStep,
  nb_words: number,
): StatesByPath => {
  const { page_number } = question
  const after: StatesByPath = new Map()
  const statesOf = (path: PathState): WalkStates => {
    const path_key = keyOfPathState(path)
    const known = after.get(path_key) ?? { path, states: new WalkStates(nb_words) }
    after.set(path_key, known)
    return known.states
  }
  for (const { path: before, states } of states_by_path.values()) {
    const path = pathStateAt(before, page_number)
    if (!isPageVisited(path, page_number)) {
      statesOf(path).addAll(states, zeros(nb_words), 1)
      continue
    }
    for (const choice of choices)
      statesOf(pathStateAfter(path, choice, page_number)).addAll(
        states,
        choice.packed_sums,
        choice.share,
      )
  }
  return after
}

/** Returns the chosen ranks by question of the most likely run that ends in this state. */
export const findLikeliestRun = (
  steps: readonly WalkStep[],
  states_by_step: readonly StatesByPath[],
  end: readonly number[],
): Map<string, readonly number[]> => {
  const run = new Map<string, readonly number[]>()
  let at: RunState = {
    packed_sums: end,
    path_key: likeliest(states_by_step.at(-1) ?? new Map(), end),
  }
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] as WalkStep
    const before = stepBack(states_by_step[index] as StatesByPath, step, at)
    if (!before) throw new Error('A state is reached by no run')
    if (before.choice) run.set(step.question.id, before.choice.ranks)
    at = before
  }
  return run
}

const likeliest = (states_by_path: StatesByPath, packed_sums: readonly number[]): string => {
  const shares = [...states_by_path].map(([path_key, { states }]) => ({
    path_key,
    share: states.get(packed_sums),
  }))
  return shares.reduce((best, one) => (one.share > best.share ? one : best), {
    path_key: '',
    share: 0,
  }).path_key
}

/** Packed sums of a run with the key of its path state. */
type RunState = { packed_sums: readonly number[]; path_key: string }
type PreviousState = RunState & { choice: Choice | null; share: number }

const stepBack = (
  states_by_path: StatesByPath,
  { question: { page_number }, choices }: WalkStep,
  { packed_sums, path_key }: RunState,
): PreviousState | undefined => {
  const found: PreviousState[] = []
  for (const [from, { path: before, states }] of states_by_path) {
    const path = pathStateAt(before, page_number)
    if (!isPageVisited(path, page_number)) {
      if (keyOfPathState(path) === path_key)
        found.push({ packed_sums, path_key: from, choice: null, share: states.get(packed_sums) })
      continue
    }
    for (const choice of choices) {
      if (keyOfPathState(pathStateAfter(path, choice, page_number)) !== path_key) continue
      const earlier = packed_sums.map((sum, word) => sum - (choice.packed_sums[word] ?? 0))
      const reached = states.get(earlier)
      const share = reached && Math.max(reached * choice.share, Number.MIN_VALUE)
      found.push({ packed_sums: earlier, path_key: from, choice, share })
    }
  }
  return found.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share)[0]
}

/**
 * Returns the number of runs that differ in an answer, a scale number or a skipped question; texts do not count. Null
 * if a double cannot hold the number exactly.
 */
export const countCombinations = (questions: readonly SnapshotQuestion[]): number | null => {
  let runs = new Map([[keyOfPathState(NO_JUMP), { path: NO_JUMP, count: 1 }]])
  for (const question of questions) {
    const { page_number } = question
    const replies = repliesByPage(question)
    const after: typeof runs = new Map()
    const add = (path: PathState, count: number): void => {
      const path_key = keyOfPathState(path)
      after.set(path_key, { path, count: (after.get(path_key)?.count ?? 0) + count })
    }
    for (const { path: before, count } of runs.values()) {
      const path = pathStateAt(before, page_number)
      if (!isPageVisited(path, page_number)) add(path, count)
      else
        for (const [leads_to, nb_replies] of replies)
          add(pathStateAfter(path, { leads_to }, page_number), count * nb_replies)
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
  // A question without answers has one reply.
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
