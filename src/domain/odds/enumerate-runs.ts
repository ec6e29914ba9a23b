/**
 * Computes the exact distribution of the sums by dynamic programming. A run is one possible sequence of replies to the
 * visited questions. Runs with equal sums and an equal path state share one table entry, because listing each run would
 * take too long.
 */
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Choice } from '#domain/run/choice-weights.ts'
import type { ChosenRanks } from '#domain/run/possible-choices.ts'
import type { Packing } from './packing.ts'
import { type ByPath, createByPath, forEachMove } from './path-states.ts'
import { multiplyShares, StateTable } from './state-table.ts'

/** Step of the enumeration: a question with its choices. Steps are in the order of their pages. */
export type EnumerationStep = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly Choice[]
}
/** Step whose choices have packed points (`Packing`). */
type PackedStep = EnumerationStep & {
  choices: readonly (Choice & { packed_sums: readonly number[] })[]
}

/** Probabilities of the sums by path state. */
type StatesByPath = ByPath<StateTable>

/** Result of an enumeration. */
export type RunEnumeration = {
  /** Probabilities of the packed sums at the end of the runs. */
  ends: StateTable
  /** Returns the chosen ranks by question of a likely run that ends in this slot of `ends`. */
  runOf: (slot: number) => ChosenRanks
}

/** Limits of the enumeration. */
export type EnumerationLimits = {
  /** Maximum number of states before one step. */
  max_states: number
  /** Maximum sum over all steps of the number of states times the number of choices. */
  max_operations: number
}

/**
 * Enumerates all runs question by question and returns the probability of each final state. Returns null as soon as the
 * limits will probably be exceeded.
 */
export const enumerateRuns = (
  steps: readonly EnumerationStep[],
  { first, pack }: Pick<Packing, 'first' | 'pack'>,
  limits: EnumerationLimits,
): RunEnumeration | null => {
  const packed_steps = steps.map(
    ({ question, choices }): PackedStep => ({
      question,
      choices: choices.map((choice) => ({ ...choice, packed_sums: pack(choice.points) })),
    }),
  )
  const initialStates = new StateTable(first.length)
  initialStates.add(first, 1)
  let states_by_path = createByPath(initialStates)
  const states_by_step = [states_by_path]
  const exceedsLimits = createLimitPrediction(steps, limits)
  for (const [index, step] of packed_steps.entries()) {
    if (exceedsLimits(index, sizeOf(states_by_path))) return null
    states_by_path = advanceStates(states_by_path, step, first.length)
    states_by_step.push(states_by_path)
  }
  const ends = new StateTable(first.length)
  for (const { value } of states_by_path.values()) ends.addAll(value, zeros(first.length), 1)
  if (ends.size > limits.max_states) return null
  return { ends, runOf: (slot) => findLikelyRun(packed_steps, states_by_step, ends.at(slot)) }
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
  [...states_by_path.values()].reduce((sum, { value }) => sum + value.size, 0)

/** Returns the states after a question. */
const advanceStates = (
  states_by_path: StatesByPath,
  { question: { page_number }, choices }: PackedStep,
  nb_words: number,
): StatesByPath => {
  const after: StatesByPath = new Map()
  const no_sums = zeros(nb_words)
  forEachMove(states_by_path, page_number, choices, (states, path, choice) => {
    const known = after.get(path.key)?.value ?? new StateTable(nb_words)
    after.set(path.key, { path, value: known })
    known.addAll(states, choice?.packed_sums ?? no_sums, choice?.share ?? 1)
  })
  return after
}

/** Returns the chosen ranks by question of a likely run that ends with these sums, found backwards from the end. */
const findLikelyRun = (
  steps: readonly PackedStep[],
  states_by_step: readonly StatesByPath[],
  end: readonly number[],
): ChosenRanks => {
  const run = new Map<string, readonly number[]>()
  let current: RunState = { packed_sums: end, path_key: '' }
  let share = 0
  for (const [path_key, { value }] of states_by_step.at(-1) ?? []) {
    if (value.get(end) <= share) continue
    share = value.get(end)
    current = { packed_sums: end, path_key }
  }
  for (const [index, step] of [...steps.entries()].reverse()) {
    const before = findPreviousState(states_by_step[index] as StatesByPath, step, current)
    if (!before) throw new Error('No run reaches this state')
    if (before.choice) run.set(step.question.id, before.choice.ranks)
    current = before
  }
  return run
}

/** Packed sums of runs with the key of their path state. */
type RunState = { packed_sums: readonly number[]; path_key: string }
/** State before a choice; `choice` is null if the run skips the question. `share` is the probability of both. */
type PreviousState = RunState & { choice: Choice | null; share: number }

/** Returns the most likely state and choice that lead to a state. */
const findPreviousState = (
  states_by_path: StatesByPath,
  { question: { page_number }, choices }: PackedStep,
  { packed_sums, path_key }: RunState,
): PreviousState | undefined => {
  let likeliest: PreviousState | undefined
  forEachMove(states_by_path, page_number, choices, (states, path, choice, from_key) => {
    if (path.key !== path_key) return
    const before = packed_sums.map((sum, word) => sum - (choice?.packed_sums[word] ?? 0))
    const reached = states.get(before)
    const share = reached && multiplyShares(reached, choice?.share ?? 1)
    if (share > (likeliest?.share ?? 0))
      likeliest = { packed_sums: before, path_key: from_key, choice, share }
  })
  return likeliest
}
