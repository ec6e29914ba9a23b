import type { ChosenRanks } from '#domain/run/possible-choices.ts'
import type { Stage } from './simulation-stages.ts'

/** Seed of the random generator; fixed, so that the same quiz always has the same odds. */
const SEED = 20_260
/** Number that the random generator mulberry32 adds to its state before each draw. */
const MULBERRY32_INCREMENT = 0x6d_2b_79_f5

/** Returns the whole number from 0 to below 2 ** 32 that mulberry32 draws in this state. */
const drawAt = (state: number): number => {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return (mixed ^ (mixed >>> 14)) >>> 0
}

/** State of the runs that are simulated together. Each stage draws for all runs of the batch before the next stage. */
type SimulationBatch = {
  /** Packed sums of each run by word. */
  packed_sums: Float64Array[]
  /** Option that the current stage drew for each run. */
  options: Int32Array
  /** Number of chosen answers of the current question for each run. */
  counts: Uint8Array
  /** Page on which each run made its last jump; 0 without a jump. */
  jump_pages: Int32Array
  /** Target page of the last jump of each run. */
  target_pages: Int32Array
}

/** Number of runs in a batch, so that the arrays of a batch fit into the L1 cache. */
const BATCH_SIZE = 1_024

const createBatch = (size: number, nb_words: number): SimulationBatch => ({
  packed_sums: Array.from({ length: nb_words }, () => new Float64Array(size)),
  options: new Int32Array(size),
  counts: new Uint8Array(size),
  jump_pages: new Int32Array(size),
  target_pages: new Int32Array(size),
})

/** Input of a simulation. */
export type Simulation = {
  stages: readonly Stage[]
  /** Packed sums before any reply. */
  first: readonly number[]
}

/**
 * Simulates `count` runs and passes the packed sums and the number of each run to `onEnd`. The array that `onEnd`
 * receives is overwritten by the next call.
 */
export const simulateRuns = (
  { stages, first }: Simulation,
  count: number,
  onEnd: (packed_sums: Float64Array, run: number) => void,
): void => {
  const batch = createBatch(BATCH_SIZE, first.length)
  const sums = new Float64Array(first.length)
  for (let begin = 0; begin < count; begin += BATCH_SIZE) {
    const size = Math.min(BATCH_SIZE, count - begin)
    resetBatch(batch, first)
    for (const [index, stage] of stages.entries())
      applyStage(batch, stage, { size, begin, index, nb_stages: stages.length })
    for (let run = 0; run < size; run++) {
      for (let word = 0; word < sums.length; word++)
        sums[word] = batch.packed_sums[word]?.[run] as number
      onEnd(sums, begin + run)
    }
  }
}

/** Repeats one simulated run and returns its chosen ranks by question. */
export const ranksInRun = ({ stages, first }: Simulation, run: number): ChosenRanks => {
  const batch = createBatch(1, first.length)
  resetBatch(batch, first)
  const ranksByQuestion = new Map<string, readonly number[]>()
  for (const [index, stage] of stages.entries()) {
    applyStage(batch, stage, { size: 1, begin: run, index, nb_stages: stages.length })
    // A question that several stages draw has ranks in each of them.
    for (const { question_id, ranks } of stage.chosenBy(batch.options[0] as number))
      ranksByQuestion.set(question_id, [...(ranksByQuestion.get(question_id) ?? []), ...ranks])
  }
  return ranksByQuestion
}

const resetBatch = (
  { packed_sums, jump_pages, target_pages, counts }: SimulationBatch,
  first: readonly number[],
): void => {
  for (const [word, sums] of packed_sums.entries()) sums.fill(first[word] as number)
  for (const all of [jump_pages, target_pages, counts]) all.fill(0)
}

/** Position of a stage in a simulation, and the runs for which the stage draws. */
type StageContext = {
  /** Number of runs in the batch. */
  size: number
  /** Number of the first run in the batch. */
  begin: number
  /** Index of the stage. */
  index: number
  nb_stages: number
}

const applyStage = (batch: SimulationBatch, stage: Stage, context: StageContext): void => {
  if (stage.resets_count) batch.counts.fill(0)
  drawOptions(batch, stage, context)
  const { options } = batch
  for (const [word, sums] of batch.packed_sums.entries()) {
    const added = stage.packed_sums[word] as Float64Array
    for (let run = 0; run < context.size; run++)
      sums[run] = (sums[run] as number) + (added[options[run] as number] as number)
  }
  if (stage.max_count > 0) countChosenAnswers(batch, stage, context.size)
  if (stage.pages) storeJumps(batch, { ...stage, pages: stage.pages }, context.size)
}

/**
 * Draws the option of each run. The numbers of the run and of the stage determine the state of the random generator, so
 * that any single run can be repeated.
 */
const drawOptions = (
  { options, counts, jump_pages, target_pages }: SimulationBatch,
  { table, nb_options, page_number }: Stage,
  { size, begin, index, nb_stages }: StageContext,
): void => {
  const step = Math.imul(MULBERRY32_INCREMENT, nb_stages)
  let state = (SEED + Math.imul(step, begin) + Math.imul(MULBERRY32_INCREMENT, index)) | 0
  const scale = nb_options / 2 ** 32
  for (let run = 0; run < size; run++) {
    state = (state + step) | 0
    if (page_number < (target_pages[run] as number) && jump_pages[run] !== page_number) {
      options[run] = nb_options
      continue
    }
    const position = drawAt(state) * scale
    const column = position | 0
    const entry = table[(counts[run] as number) * nb_options + column] as number
    const alias = entry | 0
    // Mask with all bits set if the column is kept, and 0 if the alias is taken. A branch would be slower, because the
    // processor would often predict it wrongly.
    const keepMask = ((position - column - entry + alias) * 2 ** 31) >> 31
    options[run] = alias ^ ((alias ^ column) & keepMask)
  }
}

const countChosenAnswers = (
  { options, counts }: SimulationBatch,
  { counts: added, max_count }: Stage,
  size: number,
): void => {
  for (let run = 0; run < size; run++) {
    const count = (counts[run] as number) + (added[options[run] as number] as number)
    counts[run] = Math.min(count, max_count)
  }
}

/** Stores the jumps of the drawn options. The first jump on a page decides. */
const storeJumps = (
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
