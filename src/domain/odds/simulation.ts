/** Answers that a stage can draw together, with their points and their jump. */
export type StageOption = {
  /** Chosen ranks by question. */
  chosen: readonly ChosenAnswers[]
  /** Packed points that the option adds (`Packing`). */
  packed_sums: readonly number[]
  /** Target page of a jump; null for the following page. */
  leads_to: number | null
  /** Number of chosen answers, if several stages share the limit of one question. */
  count: number
}
/** Chosen ranks of one question. */
export type ChosenAnswers = { question_id: string; ranks: readonly number[] }

/**
 * A stage is one random draw of a simulated run. It draws the replies to one or more questions, or some answers of a
 * question with too many combinations. Stages are tables of numbers, so that a run takes nanoseconds.
 */
export type Stage = {
  page_number: number
  /** True if the count of chosen answers starts again at this stage. */
  counts_anew: boolean
  /** Largest count that is distinguished. */
  most_counted: number
  /** Number of options. */
  nb_options: number
  /** Alias tables by the count of chosen answers, then by option (`aliasTable`). */
  table: Float64Array
  /** Packed points by word, then by option. The last option has no points, for runs that skip the page. */
  packed_sums: Float64Array[]
  counts: Uint8Array
  /** Target page of each option, 0 for the following page; null if no option has a jump. */
  pages: Int32Array | null
  chosenBy: (option: number) => readonly ChosenAnswers[]
}

/** Target page of an option that ends the run, beyond all pages. */
const THE_END = 0x7f_ff_ff_ff

/** Largest fraction that can be added to an index without rounding up; draws are not finer. */
const MAX_FRACTION = 1 - 2 ** -32

/**
 * Returns a table for drawing an index with a given probability in constant time (Walker's alias method). The integer
 * part of an entry is the alias, and the fraction is the part of the column that the index keeps.
 */
const aliasTable = (shares: Float64Array): Float64Array => {
  const { length } = shares
  const sum = shares.reduce((total, share) => total + share, 0)
  const heights = shares.map((share) => (share * length) / sum)
  // An entry that rounding leaves over is its own alias, unless its probability is 0.
  const some = heights.findIndex((height) => height >= 1)
  const table = shares.map((share, index) => (share > 0 ? index : some))
  const low: number[] = []
  const high: number[] = []
  for (let index = 0; index < length; index++)
    ((heights[index] as number) < 1 ? low : high).push(index)
  while (low.length > 0 && high.length > 0) {
    const small = low.pop() as number
    const large = high.at(-1) as number
    table[small] = large + Math.min(heights[small] as number, MAX_FRACTION)
    const rest = (heights[large] as number) + (heights[small] as number) - 1
    heights[large] = rest
    if (rest >= 1) continue
    high.pop()
    low.push(large)
  }
  return table
}

type Counting = Pick<Stage, 'counts_anew' | 'most_counted'>

/** Returns a stage of these options, with their shares for each count of chosen answers. */
export const createStage = (
  page_number: number,
  options: readonly StageOption[],
  { shares, ...counting }: Counting & { shares: readonly Float64Array[] },
): Stage => {
  const { length } = options
  const table = new Float64Array(length * shares.length)
  for (const [count, of] of shares.entries()) table.set(aliasTable(of), count * length)
  const nb_words = options[0]?.packed_sums.length ?? 0
  const pages = options.map(({ leads_to }) => Math.min(leads_to ?? 0, THE_END))
  return {
    page_number,
    ...counting,
    nb_options: length,
    table,
    packed_sums: Array.from({ length: nb_words }, (_, word) =>
      Float64Array.from([...options.map(({ packed_sums }) => packed_sums[word] ?? 0), 0]),
    ),
    counts: Uint8Array.from([...options.map(({ count }) => count), 0]),
    pages: pages.some((page) => page > 0) ? Int32Array.from([...pages, 0]) : null,
    chosenBy: (option) => options[option]?.chosen ?? [],
  }
}

/** Runs that are simulated together, because a stage draws for all of them before the next stage does. */
type SimulationBatch = {
  /** Packed sums of each run by word. */
  packed_sums: Float64Array[]
  /** Options that the current stage has drawn. */
  options: Int32Array
  /** Counts of chosen answers of the current question. */
  counts: Uint8Array
  /** Page with the last jump of each run. */
  jump_pages: Int32Array
  /** Target page of that jump. */
  target_pages: Int32Array
}

/** Number of runs that fit into the first-level cache. */
const BATCH_SIZE = 1_024

const createBatch = (size: number, nb_words: number): SimulationBatch => ({
  packed_sums: Array.from({ length: nb_words }, () => new Float64Array(size)),
  options: new Int32Array(size),
  counts: new Uint8Array(size),
  jump_pages: new Int32Array(size),
  target_pages: new Int32Array(size),
})

/** Stages with the state and the seed of a simulation. */
export type Simulation = {
  stages: readonly Stage[]
  /** Packed sums before any reply. */
  first: readonly number[]
  seed: number
}

/**
 * Simulates `count` runs with a fixed seed, and passes the packed sums and the number of each run to `onEnd`. The
 * array is reused for the next run.
 */
export const simulateRuns = (
  { stages, first, seed }: Simulation,
  count: number,
  onEnd: (packed_sums: Float64Array, run: number) => void,
): void => {
  const batch = createBatch(BATCH_SIZE, first.length)
  const ends = new Float64Array(first.length)
  for (let begin = 0; begin < count; begin += BATCH_SIZE) {
    const size = Math.min(BATCH_SIZE, count - begin)
    resetBatch(batch, first)
    for (const [index, stage] of stages.entries())
      passStage(batch, stage, { size, begin, index, seed, nb_stages: stages.length })
    for (let run = 0; run < size; run++) {
      for (let word = 0; word < ends.length; word++)
        ends[word] = batch.packed_sums[word]?.[run] as number
      onEnd(ends, begin + run)
    }
  }
}

/** Returns the choices of one simulated run; a question of several stages appears several times. */
export const choicesInRun = ({ stages, first, seed }: Simulation, run: number): ChosenAnswers[] => {
  const batch = createBatch(1, first.length)
  resetBatch(batch, first)
  return stages.flatMap((stage, index) => {
    passStage(batch, stage, { size: 1, begin: run, index, seed, nb_stages: stages.length })
    return [...stage.chosenBy(batch.options[0] as number)]
  })
}

const resetBatch = (
  { packed_sums, jump_pages, target_pages, counts }: SimulationBatch,
  first: readonly number[],
): void => {
  for (const [word, sums] of packed_sums.entries()) sums.fill(first[word] as number)
  for (const all of [jump_pages, target_pages, counts]) all.fill(0)
}

/** Position of a stage in a simulation, and the runs for which it draws. */
type StageContext = {
  /** Number of runs in the batch. */
  size: number
  /** Number of the first run in the batch. */
  begin: number
  /** Index of the stage. */
  index: number
  nb_stages: number
  seed: number
}

const passStage = (batch: SimulationBatch, stage: Stage, context: StageContext): void => {
  if (stage.counts_anew) batch.counts.fill(0)
  drawOptions(batch, stage, context)
  const { options } = batch
  for (const [word, sums] of batch.packed_sums.entries()) {
    const added = stage.packed_sums[word] as Float64Array
    for (let run = 0; run < context.size; run++)
      sums[run] = (sums[run] as number) + (added[options[run] as number] as number)
  }
  if (stage.most_counted > 0) countOptions(batch, stage, context.size)
  if (stage.pages) followJumps(batch, { ...stage, pages: stage.pages }, context.size)
}

/**
 * Increment of mulberry32. The state is the seed plus a multiple of the increment, so that any single run can be
 * repeated.
 */
const GOLDEN = 0x6d_2b_79_f5

const drawOptions = (
  { options, counts, jump_pages, target_pages }: SimulationBatch,
  { table, nb_options, page_number }: Stage,
  { size, begin, index, nb_stages, seed }: StageContext,
): void => {
  const step = Math.imul(GOLDEN, nb_stages)
  let state = (seed + Math.imul(step, begin) + Math.imul(GOLDEN, index)) | 0
  const scale = nb_options / 2 ** 32
  for (let run = 0; run < size; run++) {
    state = (state + step) | 0
    if (page_number < (target_pages[run] as number) && jump_pages[run] !== page_number) {
      options[run] = nb_options
      continue
    }
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    const place = ((mixed ^ (mixed >>> 14)) >>> 0) * scale
    const column = place | 0
    const entry = table[(counts[run] as number) * nb_options + column] as number
    const other = entry | 0
    // A mask instead of a branch, which a processor would mispredict half of the time. All bits are set if the index
    // keeps itself.
    const stays = ((place - column - entry + other) * 2 ** 31) >> 31
    options[run] = other ^ ((other ^ column) & stays)
  }
}

const countOptions = (
  { options, counts }: SimulationBatch,
  { counts: added, most_counted }: Stage,
  size: number,
): void => {
  for (let run = 0; run < size; run++) {
    const count = (counts[run] as number) + (added[options[run] as number] as number)
    counts[run] = Math.min(count, most_counted)
  }
}

/** Stores the jump of each run. The first option with a jump decides for its page. */
const followJumps = (
  { options, jump_pages, target_pages }: SimulationBatch,
  { pages, page_number }: Stage & { pages: Int32Array },
  size: number,
): void => {
  for (let run = 0; run < size; run++) {
    const page = pages[options[run] as number] as number
    if (page === 0 || jump_pages[run] === page_number) continue
    jump_pages[run] = page_number
    target_pages[run] = page
  }
}
