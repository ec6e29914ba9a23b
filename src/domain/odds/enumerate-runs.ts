/**
 * Computes the exact distribution of the sums by dynamic programming. A run is one possible sequence of replies to the
 * visited questions. Runs with equal sums and an equal path state share one table entry, because listing each run would
 * take too long.
 */
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Choice } from '#domain/run/choice-weights.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import { maxChoicesOf, scaleOf } from '#domain/run/replies.ts'
import { StateTable } from './state-table.ts'

/** Choice with its packed points (`Packing` in stages.ts). */
type PackedChoice = Choice & { packed_sums: readonly number[] }
/** Step of the enumeration: a question with its choices. */
export type EnumerationStep = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly PackedChoice[]
}

/**
 * Jump of a run that still has an effect. `jump_page` is the page of the jump, 0 after that page. Pages between
 * `jump_page` and `target_page` are skipped.
 */
type PathState = { jump_page: number; target_page: number }
/** Probabilities of the sums by the key of the path state. */
export type StatesByPath = Map<string, { path: PathState; states: StateTable }>

/** Result of an enumeration. */
export type RunEnumeration = {
  /** Probabilities of the sums at the end of the runs. */
  ends: StateTable
  /** States before each step, then the states after the last step. */
  states_by_step: StatesByPath[]
}

/** Limits of the enumeration. */
export type EnumerationLimits = {
  /** Maximum number of states before one step. */
  max_states: number
  /** Maximum sum over all steps of the number of states times the number of choices. */
  max_operations: number
}

/** Path state of a run without a jump. */
const NO_JUMP: PathState = { jump_page: 0, target_page: 0 }
const keyOfPathState = ({ jump_page, target_page }: PathState): string =>
  `${jump_page} ${target_page}`

/**
 * Enumerates all runs question by question and returns the probability of each final state. Returns null as soon as the
 * limits will probably be exceeded.
 */
export const enumerateRuns = (
  steps: readonly EnumerationStep[],
  { first, limits }: { first: readonly number[]; limits: EnumerationLimits },
): RunEnumeration | null => {
  const initialStates = new StateTable(first.length)
  initialStates.add(first, 1)
  let states_by_path: StatesByPath = new Map([
    [keyOfPathState(NO_JUMP), { path: NO_JUMP, states: initialStates }],
  ])
  const states_by_step = [states_by_path]
  const exceedsLimits = createLimitPrediction(steps, limits)
  for (const [index, step] of steps.entries()) {
    if (exceedsLimits(index, sizeOf(states_by_path))) return null
    states_by_path = advanceStates(states_by_path, step, first.length)
    states_by_step.push(states_by_path)
  }
  const ends = new StateTable(first.length)
  for (const { states } of states_by_path.values()) ends.addAll(states, zeros(first.length), 1)
  return ends.size > limits.max_states ? null : { ends, states_by_step }
}

/**
 * Returns a function that predicts before each step whether the limits will be exceeded. The prediction assumes that the
 * number of states keeps growing by as many states per choice as in the last step.
 */
const createLimitPrediction = (
  steps: readonly EnumerationStep[],
  { max_states, max_operations }: EnumerationLimits,
): ((index: number, nb_states: number) => boolean) => {
  let work = 0
  let before = 0
  return (index, nb_states) => {
    const growth = Math.max(0, nb_states - before) / (steps[index - 1]?.choices.length ?? 1)
    before = nb_states
    let [states, operations_ahead] = [nb_states, 0]
    for (const { choices } of steps.slice(index)) {
      operations_ahead += states * choices.length
      states += index > 0 ? growth * choices.length : 0
    }
    const isBeyond = states > max_states || work + operations_ahead > max_operations
    work += nb_states * (steps[index]?.choices.length ?? 0)
    return isBeyond
  }
}

const zeros = (nb_words: number): number[] => Array(nb_words).fill(0)

const sizeOf = (states_by_path: StatesByPath): number =>
  [...states_by_path.values()].reduce((sum, { states }) => sum + states.size, 0)

/** Returns the path state on a page. A jump has no effect after its target page is reached. */
const pathStateAt = (path: PathState, page_number: number): PathState => {
  if (page_number >= path.target_page) return path.jump_page === page_number ? path : NO_JUMP
  return path.jump_page === page_number || path.jump_page === 0
    ? path
    : { jump_page: 0, target_page: path.target_page }
}

/** Returns true if a run visits the page. */
const isPageVisited = (path: PathState, page_number: number): boolean =>
  path.jump_page === page_number || page_number >= path.target_page

/** Returns the path state after a choice. The first jump on a page decides. */
const pathStateAfter = (
  path: PathState,
  { target_page }: Pick<Choice, 'target_page'>,
  page_number: number,
): PathState =>
  target_page === null || path.jump_page === page_number
    ? path
    : { jump_page: page_number, target_page: target_page }

/** Returns the states after a question. */
const advanceStates = (
  states_by_path: StatesByPath,
  { question, choices }: EnumerationStep,
  nb_words: number,
): StatesByPath => {
  const { page_number } = question
  const after: StatesByPath = new Map()
  const statesOf = (path: PathState): StateTable => {
    const path_key = keyOfPathState(path)
    const known = after.get(path_key) ?? { path, states: new StateTable(nb_words) }
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

/** Returns the chosen ranks by question of a likely run that ends with these sums, found backwards from the end. */
export const findLikelyRun = (
  steps: readonly EnumerationStep[],
  states_by_step: readonly StatesByPath[],
  end: readonly number[],
): Map<string, readonly number[]> => {
  const run = new Map<string, readonly number[]>()
  let current: RunState = {
    packed_sums: end,
    path_key: findLikeliestPathKey(states_by_step.at(-1) ?? new Map(), end),
  }
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] as EnumerationStep
    const before = findPreviousState(states_by_step[index] as StatesByPath, step, current)
    if (!before) throw new Error('No run reaches this state')
    if (before.choice) run.set(step.question.id, before.choice.ranks)
    current = before
  }
  return run
}

/** Returns the key of the most likely path state with these sums. */
const findLikeliestPathKey = (
  states_by_path: StatesByPath,
  packed_sums: readonly number[],
): string => {
  const shares = [...states_by_path].map(([path_key, { states }]) => ({
    path_key,
    share: states.get(packed_sums),
  }))
  return shares.reduce((best, candidate) => (candidate.share > best.share ? candidate : best), {
    path_key: '',
    share: 0,
  }).path_key
}

/** Packed sums of runs with the key of their path state. */
type RunState = { packed_sums: readonly number[]; path_key: string }
/** State before a choice; `choice` is null if the run skips the question. `share` is the probability of both. */
type PreviousState = RunState & { choice: Choice | null; share: number }

/** Returns the most likely state and choice that lead to a state. */
const findPreviousState = (
  states_by_path: StatesByPath,
  { question: { page_number }, choices }: EnumerationStep,
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
 * Returns the number of runs that differ in an answer, a scale number or a blank reply; texts do not count. Null above
 * the largest integer that a number can hold exactly.
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
        for (const [target_page, nb_replies] of replies)
          add(pathStateAfter(path, { target_page }, page_number), count * nb_replies)
    }
    runs = after
  }
  const count = [...runs.values()].reduce((sum, run) => sum + run.count, 0)
  return count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** Returns the number of replies to a question by target page; the key null means the following page. */
const repliesByPage = (question: SnapshotQuestion): Map<number | null, number> => {
  const blank = question.is_required === false ? 1 : 0
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return new Map([[null, to - from + 1 + blank]])
  }
  if (!isChoice(question)) return new Map([[null, 1]])
  const { answers, has_other } = question
  const max_answers = maxChoicesOf(question)
  const jumps = answers
    .map((answer) => jumpTargetOf(answer, question))
    .filter((to) => to !== undefined)
  const nb_without_jump = answers.length + (has_other ? 1 : 0) - jumps.length
  // A required question without answers counts as one reply, so that the product is not 0.
  const nb_next =
    countSubsets(nb_without_jump, max_answers) - 1 + blank || (jumps.length > 0 ? 0 : 1)
  const counts = new Map<number | null, number>(nb_next > 0 ? [[null, nb_next]] : [])
  for (const [rank, to] of jumps.entries()) {
    // The first chosen answer with a jump decides.
    const nb_beside = nb_without_jump + jumps.length - rank - 1
    counts.set(to, (counts.get(to) ?? 0) + countSubsets(nb_beside, max_answers - 1))
  }
  return counts
}

/** Returns the number of subsets of `count` elements with at most `max_size` elements, including the empty set. */
const countSubsets = (count: number, max_size: number): number => {
  /** Row of Pascal's triangle by size, because factorials would lose precision. */
  const sets = [1]
  for (let nb = 1; nb <= count; nb++)
    for (let size = Math.min(nb, max_size); size > 0; size--)
      sets[size] = (sets[size] ?? 0) + (sets[size - 1] ?? 0)
  return sets.reduce((sum, count) => sum + count, 0)
}
