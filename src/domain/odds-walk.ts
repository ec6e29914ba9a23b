import type { Choice } from './odds-choices.ts'
import { States } from './odds-states.ts'
import type { SnapshotQuestion } from './snapshot.ts'

/** A choice with what it adds to the words of packed sums. */
type Packed = Choice & { words: readonly number[] }
/** A question as the walk takes it: its page, and what may be replied. */
export type Step = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly Packed[]
}

/**
 * Which page decides where a run goes on, and where: the pages between are not passed. `on` is 0 once that page is left.
 */
export type Way = { on: number; from: number }
/** The states of the runs of each way. */
export type Front = Map<string, { way: Way; states: States }>

export type Walked = {
  /** At the end of all runs. */
  ends: States
  /** Before each step and, last, at the end. */
  fronts: Front[]
}

export type Limits = {
  /** Of one front. */
  most_states: number
  /** States times choices, of all steps: what takes the time, and bounds the memory. */
  most_work: number
}

export const NEXT: Way = { on: 0, from: 0 }
export const nameOf = ({ on, from }: Way): string => `${on} ${from}`

/**
 * Walks all runs at once, question by question: how likely each state is at the end. Null beyond the limits, which is
 * known early, as states hardly become fewer.
 */
export const walkAll = (
  steps: readonly Step[],
  { first, limits }: { first: readonly number[]; limits: Limits },
): Walked | null => {
  const begun = new States(first.length)
  begun.add(first, 1)
  let front: Front = new Map([[nameOf(NEXT), { way: NEXT, states: begun }]])
  const fronts = [front]
  const expected = expecting(steps, limits)
  for (const [index, step] of steps.entries()) {
    if (expected(index, sizeOf(front))) return null
    front = passStep(front, step, first.length)
    fronts.push(front)
  }
  const ends = new States(first.length)
  for (const { states } of front.values()) ends.addAll(states, nothingOf(first.length), 1)
  return ends.size > limits.most_states ? null : { ends, fronts }
}

/**
 * Whether walking on is to go beyond the limits, asked before each step with its number of states: these are taken to
 * grow for each choice by no less than they did in the last step, as sums spread the more the more questions there are.
 */
const expecting = (
  steps: readonly Step[],
  { most_states, most_work }: Limits,
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

const nothingOf = (nb_words: number): number[] => Array(nb_words).fill(0)

const sizeOf = (front: Front): number =>
  [...front.values()].reduce((sum, { states }) => sum + states.size, 0)

/** The way of a run that comes to a page: one that was decided on an earlier page is over once its page is reached. */
export const wayAt = (way: Way, page_number: number): Way => {
  if (page_number >= way.from) return way.on === page_number ? way : NEXT
  return way.on === page_number || way.on === 0 ? way : { on: 0, from: way.from }
}

/** Whether a run of this way passes the page. */
export const isPassed = (way: Way, page_number: number): boolean =>
  way.on === page_number || page_number >= way.from

/** The way after a choice: the first of a page that leads anywhere decides. */
export const wayAfter = (
  way: Way,
  { leads_to }: Pick<Choice, 'leads_to'>,
  page_number: number,
): Way => (leads_to === null || way.on === page_number ? way : { on: page_number, from: leads_to })

const passStep = (front: Front, { question, choices }: Step, nb_words: number): Front => {
  const { page_number } = question
  const after: Front = new Map()
  const statesOf = (way: Way): States => {
    const name = nameOf(way)
    const known = after.get(name) ?? { way, states: new States(nb_words) }
    after.set(name, known)
    return known.states
  }
  for (const { way: before, states } of front.values()) {
    const way = wayAt(before, page_number)
    if (!isPassed(way, page_number)) {
      statesOf(way).addAll(states, nothingOf(nb_words), 1)
      continue
    }
    for (const choice of choices)
      statesOf(wayAfter(way, choice, page_number)).addAll(states, choice.words, choice.share)
  }
  return after
}

/** The ranks that the likeliest run chooses that ends in this state, by question. */
export const runTo = (
  steps: readonly Step[],
  fronts: readonly Front[],
  end: readonly number[],
): Map<string, readonly number[]> => {
  const run = new Map<string, readonly number[]>()
  let at: Place = { words: end, name: likeliest(fronts.at(-1) ?? new Map(), end) }
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] as Step
    const before = stepBack(fronts[index] as Front, step, at)
    if (!before) throw new Error('A state is reached by no run')
    if (before.choice) run.set(step.question.id, before.choice.ranks)
    at = before
  }
  return run
}

const likeliest = (front: Front, words: readonly number[]): string => {
  const shares = [...front].map(([name, { states }]) => ({ name, share: states.get(words) }))
  return shares.reduce((best, one) => (one.share > best.share ? one : best), {
    name: '',
    share: 0,
  }).name
}

/** A state of a front, and the name of its way. */
type Place = { words: readonly number[]; name: string }
type Before = Place & { choice: Choice | null; share: number }

const stepBack = (
  front: Front,
  { question: { page_number }, choices }: Step,
  { words, name }: Place,
): Before | undefined => {
  const found: Before[] = []
  for (const [from, { way: before, states }] of front) {
    const way = wayAt(before, page_number)
    if (!isPassed(way, page_number)) {
      if (nameOf(way) === name)
        found.push({ words, name: from, choice: null, share: states.get(words) })
      continue
    }
    for (const choice of choices) {
      if (nameOf(wayAfter(way, choice, page_number)) !== name) continue
      const earlier = words.map((sum, word) => sum - (choice.words[word] ?? 0))
      const reached = states.get(earlier)
      const share = reached && Math.max(reached * choice.share, Number.MIN_VALUE)
      found.push({ words: earlier, name: from, choice, share })
    }
  }
  return found.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share)[0]
}
