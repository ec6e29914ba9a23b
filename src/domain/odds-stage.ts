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
  /** By how many were chosen before, then by part: the height up to which a part stays itself, and what it is else. */
  heights: Float64Array
  aliases: Int32Array
  /** By word, then by part: what is added to it. The last part of all is nothing, for a page that is not passed. */
  words: Float64Array[]
  counts: Uint8Array
  /** By part: the page it leads to, 0 for the next; null when none leads anywhere. */
  pages: Int32Array | null
  chosenBy: (part: number) => readonly Chosen[]
}

/** The page to which a part leads that ends the run: beyond all pages. */
const THE_END = 0x7f_ff_ff_ff

/** Fills a table by which an index is drawn as likely as its share, in the same time for any number (Walker's alias method). */
const fillAlias = (shares: Float64Array, heights: Float64Array, aliases: Int32Array): void => {
  const { length } = shares
  const sum = shares.reduce((total, share) => total + share, 0)
  const low: number[] = []
  const high: number[] = []
  for (let index = 0; index < length; index++) {
    const height = ((shares[index] as number) * length) / sum
    heights[index] = height
    aliases[index] = index
    if (height < 1) low.push(index)
    else high.push(index)
  }
  const some = high[0] ?? 0
  for (let small = low.pop(); small !== undefined; small = low.pop()) {
    const large = high.at(-1)
    if (large === undefined) {
      // What rounding has left over: itself, unless it is never drawn.
      if (shares[small] === 0) aliases[small] = some
      continue
    }
    aliases[small] = large
    const rest = (heights[large] as number) + (heights[small] as number) - 1
    heights[large] = rest
    if (rest >= 1) continue
    high.pop()
    low.push(large)
  }
}

type Counting = Pick<Stage, 'counts_anew' | 'most_counted'>

/** A stage of these parts, whose shares are given for each number of answers that were chosen before. */
export const stageOf = (
  page_number: number,
  parts: readonly Part[],
  { shares, ...counting }: Counting & { shares: readonly Float64Array[] },
): Stage => {
  const { length } = parts
  const heights = new Float64Array(length * shares.length)
  const aliases = new Int32Array(length * shares.length)
  for (const [count, of] of shares.entries()) {
    const [from, to] = [count * length, (count + 1) * length]
    fillAlias(of, heights.subarray(from, to), aliases.subarray(from, to))
  }
  const nb_words = parts[0]?.words.length ?? 0
  const pages = parts.map(({ leads_to }) => Math.min(leads_to ?? 0, THE_END))
  return {
    page_number,
    ...counting,
    nb_parts: length,
    heights,
    aliases,
    words: Array.from({ length: nb_words }, (_, word) =>
      Float64Array.from([...parts.map(({ words }) => words[word] ?? 0), 0]),
    ),
    counts: Uint8Array.from([...parts.map(({ count }) => count), 0]),
    pages: pages.some((page) => page > 0) ? Int32Array.from([...pages, 0]) : null,
    chosenBy: (part) => parts[part]?.chosen ?? [],
  }
}
