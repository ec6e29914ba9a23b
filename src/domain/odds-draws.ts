import type { Chosen, Stage } from './odds-stage.ts'

/** Runs that are drawn side by side: every stage draws its part of all of them before the next one does. */
type Lanes = {
  /** The packed sums, by word. */
  words: Float64Array[]
  /** What the stage at work has drawn. */
  parts: Int32Array
  /** How many answers of the question at work are chosen. */
  counts: Uint8Array
  /** The page that decided last where the run goes on, and the page from which on it does. */
  decided: Int32Array
  from: Int32Array
}

/** As many as a processor's nearest memory holds. */
const SIDE_BY_SIDE = 1_024

const newLanes = (size: number, nb_words: number): Lanes => ({
  words: Array.from({ length: nb_words }, () => new Float64Array(size)),
  parts: new Int32Array(size),
  counts: new Uint8Array(size),
  decided: new Int32Array(size),
  from: new Int32Array(size),
})

export type Drawing = {
  stages: readonly Stage[]
  /** The packed sums of a run that has not begun. */
  first: readonly number[]
  seed: number
}

/**
 * Draws as many runs, always the same ones, and gives the words of each at its end, by its number from 0; the next run
 * overwrites them.
 */
export const drawRuns = (
  { stages, first, seed }: Drawing,
  count: number,
  onEnd: (words: Float64Array, run: number) => void,
): void => {
  const lanes = newLanes(SIDE_BY_SIDE, first.length)
  const ends = new Float64Array(first.length)
  for (let begin = 0; begin < count; begin += SIDE_BY_SIDE) {
    const size = Math.min(SIDE_BY_SIDE, count - begin)
    beginLanes(lanes, first)
    for (const [index, stage] of stages.entries())
      passStage(lanes, stage, { size, begin, index, seed, nb_stages: stages.length })
    for (let lane = 0; lane < size; lane++) {
      for (let word = 0; word < ends.length; word++)
        ends[word] = lanes.words[word]?.[lane] as number
      onEnd(ends, begin + lane)
    }
  }
}

/** What is chosen in one of these runs, question by question; a question of which several stages draw comes as often. */
export const chosenInRun = ({ stages, first, seed }: Drawing, run: number): Chosen[] => {
  const lanes = newLanes(1, first.length)
  beginLanes(lanes, first)
  return stages.flatMap((stage, index) => {
    passStage(lanes, stage, { size: 1, begin: run, index, seed, nb_stages: stages.length })
    return [...stage.chosenBy(lanes.parts[0] as number)]
  })
}

const beginLanes = ({ words, decided, from, counts }: Lanes, first: readonly number[]): void => {
  for (const [word, sums] of words.entries()) sums.fill(first[word] as number)
  for (const all of [decided, from, counts]) all.fill(0)
}

type Passed = {
  /** How many lanes are in use, and the number of the run of the first of them. */
  size: number
  begin: number
  /** Of the stage. */
  index: number
  nb_stages: number
  seed: number
}

const passStage = (lanes: Lanes, stage: Stage, passed: Passed): void => {
  if (stage.counts_anew) lanes.counts.fill(0)
  drawParts(lanes, stage, passed)
  const { parts } = lanes
  for (const [word, sums] of lanes.words.entries()) {
    const added = stage.words[word] as Float64Array
    for (let lane = 0; lane < passed.size; lane++)
      sums[lane] = (sums[lane] as number) + (added[parts[lane] as number] as number)
  }
  if (stage.most_counted > 0) countParts(lanes, stage, passed.size)
  if (stage.pages) follow(lanes, { ...stage, pages: stage.pages }, passed.size)
}

/** The increment of mulberry32: its state is the seed plus so many increments, so any single run can be drawn again. */
const GOLDEN = 0x6d_2b_79_f5

const drawParts = (
  { parts, counts, decided, from }: Lanes,
  { table, nb_parts, page_number }: Stage,
  { size, begin, index, nb_stages, seed }: Passed,
): void => {
  const step = Math.imul(GOLDEN, nb_stages)
  let state = (seed + Math.imul(step, begin) + Math.imul(GOLDEN, index)) | 0
  const scale = nb_parts / 2 ** 32
  for (let lane = 0; lane < size; lane++) {
    state = (state + step) | 0
    if (page_number < (from[lane] as number) && decided[lane] !== page_number) {
      parts[lane] = nb_parts
      continue
    }
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    const place = ((mixed ^ (mixed >>> 14)) >>> 0) * scale
    const column = place | 0
    const entry = table[(counts[lane] as number) * nb_parts + column] as number
    const other = entry | 0
    // Without a branch, which a processor would guess wrong half of the time: all bits set where it stays itself.
    const stays = ((place - column - entry + other) * 2 ** 31) >> 31
    parts[lane] = other ^ ((other ^ column) & stays)
  }
}

const countParts = (
  { parts, counts }: Lanes,
  { counts: added, most_counted }: Stage,
  size: number,
): void => {
  for (let lane = 0; lane < size; lane++) {
    const count = (counts[lane] as number) + (added[parts[lane] as number] as number)
    counts[lane] = Math.min(count, most_counted)
  }
}

/** The first part of a page that leads anywhere decides where the run goes on. */
const follow = (
  { parts, decided, from }: Lanes,
  { pages, page_number }: Stage & { pages: Int32Array },
  size: number,
): void => {
  for (let lane = 0; lane < size; lane++) {
    const page = pages[parts[lane] as number] as number
    if (page === 0 || decided[lane] === page_number) continue
    decided[lane] = page_number
    from[lane] = page
  }
}
