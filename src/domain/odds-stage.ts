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
export const stageOf = (
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
