import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { leadsTo } from '#domain/run/path.ts'
import type { Choice } from '#domain/run/possible-choices.ts'
import { maxChoicesOf, scaleOf } from '#domain/run/replies.ts'
import { States } from './walk-states.ts'

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
type Way = { on: number; from: number }
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

const NEXT: Way = { on: 0, from: 0 }
const nameOf = ({ on, from }: Way): string => `${on} ${from}`

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
const wayAt = (way: Way, page_number: number): Way => {
  if (page_number >= way.from) return way.on === page_number ? way : NEXT
  return way.on === page_number || way.on === 0 ? way : { on: 0, from: way.from }
}

/** Whether a run of this way passes the page. */
const isPassed = (way: Way, page_number: number): boolean =>
  way.on === page_number || page_number >= way.from

/** The way after a choice: the first of a page that leads anywhere decides. */
const wayAfter = (way: Way, { leads_to }: Pick<Choice, 'leads_to'>, page_number: number): Way =>
  leads_to === null || way.on === page_number ? way : { on: page_number, from: leads_to }

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

/**
 * How many runs there are that differ in an answer, a number of a scale or in what is left blank of these; typed texts
 * make no difference. Null beyond the whole numbers that are exact.
 */
export const countCombinations = (questions: readonly SnapshotQuestion[]): number | null => {
  let runs = new Map([[nameOf(NEXT), { way: NEXT, count: 1 }]])
  for (const question of questions) {
    const { page_number } = question
    const replies = repliesByPage(question)
    const after: typeof runs = new Map()
    const add = (way: Way, count: number): void => {
      const name = nameOf(way)
      after.set(name, { way, count: (after.get(name)?.count ?? 0) + count })
    }
    for (const { way: before, count } of runs.values()) {
      const way = wayAt(before, page_number)
      if (!isPassed(way, page_number)) add(way, count)
      else
        for (const [leads_to, nb_replies] of replies)
          add(wayAfter(way, { leads_to }, page_number), count * nb_replies)
    }
    runs = after
  }
  const count = [...runs.values()].reduce((sum, one) => sum + one.count, 0)
  return count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** How many replies a question takes, by the page they lead to; null is the next. */
const repliesByPage = (question: SnapshotQuestion): Map<number | null, number> => {
  const blank = question.is_required === false ? 1 : 0
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return new Map([[null, to - from + 1 + blank]])
  }
  if (!isChoice(question)) return new Map([[null, 1]])
  const { answers, has_other } = question
  const most = maxChoicesOf(question)
  const leading = answers
    .map((answer) => leadsTo(answer, question))
    .filter((to) => to !== undefined)
  const nb_still = answers.length + (has_other ? 1 : 0) - leading.length
  // A question without any answer is passed as it is.
  const nb_next = nbSets(nb_still, most) - 1 + blank || (leading.length > 0 ? 0 : 1)
  const counts = new Map<number | null, number>(nb_next > 0 ? [[null, nb_next]] : [])
  for (const [rank, to] of leading.entries()) {
    // Of those that lead anywhere the first decides.
    const nb_beside = nb_still + leading.length - rank - 1
    counts.set(to, (counts.get(to) ?? 0) + nbSets(nb_beside, most - 1))
  }
  return counts
}

/** How many sets there are of at most so many of these, the empty one among them. */
const nbSets = (count: number, most: number): number => {
  /** By size: Pascal's triangle, since products would lose digits before their quotients are small again. */
  const sets = [1]
  for (let nb = 1; nb <= count; nb++)
    for (let size = Math.min(nb, most); size > 0; size--)
      sets[size] = (sets[size] ?? 0) + (sets[size - 1] ?? 0)
  return sets.reduce((sum, one) => sum + one, 0)
}
