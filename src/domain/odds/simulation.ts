/** One of the things that a stage may draw. */
export type Part = {
  /** What is chosen by it, question by question. */
  chosen: readonly Chosen[]
  words: readonly number[]
  leads_to: number | null
  /** How many answers it is, where how many may be chosen has to be counted over several stages. */
  count: number
}
export type Chosen = { question_id: string; ranks: readonly number[] }

/**
 * What is drawn at once: the reply to a question, to several of them, or a part of it where the replies are too many to
 * list. Tables of plain numbers, as a run is drawn in nanoseconds.
 */
export type Stage = {
  page_number: number
  /** Whether how many answers were chosen is counted from here on. */
  counts_anew: boolean
  /** The most that is counted. */
  most_counted: number
  nb_parts: number
  /** By how many were chosen before, then by part: see `aliasTable`. */
  table: Float64Array
  /** By word, then by part: what is added to it. The last part of all is nothing, for a page that is not passed. */
  words: Float64Array[]
  counts: Uint8Array
  /** By part: the page it leads to, 0 for the next; null when none leads anywhere. */
  pages: Int32Array | null
  chosenBy: (part: number) => readonly Chosen[]
}

/** The page to which a part leads that ends the run: beyond all pages. */
const THE_END = 0x7f_ff_ff_ff

/** What a whole number of parts is added to without being rounded up, and no draw is finer. */
const LARGEST_FRACTION = 1 - 2 ** -32

/**
 * A table by which an index is drawn as likely as its share, in the same time for any number of them (Walker's alias
 * method): the whole part of an entry is the index that is drawn in its stead, the fraction how much of its place it keeps.
 */
const aliasTable = (shares: Float64Array): Float64Array => {
  const { length } = shares
  const sum = shares.reduce((total, share) => total + share, 0)
  const heights = shares.map((share) => (share * length) / sum)
  // What is left over at the end by rounding is itself, unless it is never drawn.
  const some = heights.findIndex((height) => height >= 1)
  const table = shares.map((share, index) => (share > 0 ? index : some))
  const low: number[] = []
  const high: number[] = []
  for (let index = 0; index < length; index++)
    ((heights[index] as number) < 1 ? low : high).push(index)
  while (low.length > 0 && high.length > 0) {
    const small = low.pop() as number
    const large = high.at(-1) as number
    table[small] = large + Math.min(heights[small] as number, LARGEST_FRACTION)
    const rest = (heights[large] as number) + (heights[small] as number) - 1
    heights[large] = rest
    if (rest >= 1) continue
    high.pop()
    low.push(large)
  }
  return table
}

type Counting = Pick<Stage, 'counts_anew' | 'most_counted'>

/** A stage of these parts, whose shares are given for each number of answers that were chosen before. */
export const createStage = (
  page_number: number,
  parts: readonly Part[],
  { shares, ...counting }: Counting & { shares: readonly Float64Array[] },
): Stage => {
  const { length } = parts
  const table = new Float64Array(length * shares.length)
  for (const [count, of] of shares.entries()) table.set(aliasTable(of), count * length)
  const nb_words = parts[0]?.words.length ?? 0
  const pages = parts.map(({ leads_to }) => Math.min(leads_to ?? 0, THE_END))
  return {
    page_number,
    ...counting,
    nb_parts: length,
    table,
    words: Array.from({ length: nb_words }, (_, word) =>
      Float64Array.from([...parts.map(({ words }) => words[word] ?? 0), 0]),
    ),
    counts: Uint8Array.from([...parts.map(({ count }) => count), 0]),
    pages: pages.some((page) => page > 0) ? Int32Array.from([...pages, 0]) : null,
    chosenBy: (part) => parts[part]?.chosen ?? [],
  }
}

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

export type Simulation = {
  stages: readonly Stage[]
  /** The packed sums of a run that has not begun. */
  first: readonly number[]
  seed: number
}

/**
 * Draws as many runs, always the same ones, and gives the words of each at its end, by its number from 0; the next run
 * overwrites them.
 */
export const simulateRuns = (
  { stages, first, seed }: Simulation,
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
export const choicesInRun = ({ stages, first, seed }: Simulation, run: number): Chosen[] => {
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
