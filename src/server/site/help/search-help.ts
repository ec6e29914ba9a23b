import { comparableText } from '#domain/common/comparable-text.ts'
import { cutText, withoutControls } from '#domain/common/text.ts'
import { MAX_SEARCH_LENGTH } from '#server/site/site-page.ts'
import type { HelpPage } from './read-help.ts'
import type { TextBlock } from './render-markdown.ts'

/** Maximum number of words of a search that are compared. */
const MAX_WORDS = 8
/** Maximum number of results of one search. */
const MAX_RESULTS = 15
/** Points of a word by the place where it was found. */
const POINTS = { title: 12, keywords: 8, heading: 5, text: 1 }
/** Maximum number of paragraphs of a page that count for one word. */
const MAX_COUNTED_BLOCKS = 4
/** Words without a meaning of their own. */
const STOP_WORDS = new Set(
  'a au aux avec ce ces cette comment dans de des du en est et il je la le les ma mes mon ne on ou par pas pour quand que quel quelle qui sa se ses son sur un une vos votre'.split(
    ' ',
  ),
)

/** A page that a search found, with the paragraph that fits best. */
export type SearchResult = { page: HelpPage; block: TextBlock }

type IndexedPage = {
  page: HelpPage
  title: string
  keywords: string
  blocks: { block: TextBlock; text: string }[]
}
/** Comparable texts of all pages. */
export type SearchIndex = IndexedPage[]

/** Returns the comparable texts of the pages. A space before each text marks the beginning of its first word. */
export const indexHelp = (pages: readonly HelpPage[]): SearchIndex =>
  pages.map((page) => ({
    page,
    title: wordsText(page.title),
    keywords: wordsText(page.keywords),
    blocks: page.blocks.map((block) => ({ block, text: wordsText(block.text) })),
  }))

/** Returns a comparable text with a space before each word. */
const wordsText = (text: string): string =>
  ` ${comparableText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`

/** Returns the text that is searched: the beginning of the typed one, on one line. */
export const readSearch = (typed: string): string =>
  withoutControls(cutText(typed, MAX_SEARCH_LENGTH))
    .replace(/[\s\0\p{Cf}]+/gu, ' ')
    .trim()

/** Returns the distinct words of a search, without stop words and final s. A search of stop words alone keeps them. */
export const searchWords = (searched: string): string[] => {
  const words = [...new Set(wordsText(searched).trim().split(' '))].filter(Boolean)
  const meaningful = words.filter((word) => !STOP_WORDS.has(word))
  return (meaningful.length > 0 ? meaningful : words)
    .slice(0, MAX_WORDS)
    .map((word) => (word.length > 3 ? word.replace(/[sx]$/, '') : word))
}

const pointsOf = (page: IndexedPage, word: string): number => {
  const beginning = ` ${word}`
  const places = [
    page.title.includes(beginning) ? POINTS.title : 0,
    page.keywords.includes(beginning) ? POINTS.keywords : 0,
  ]
  const found = page.blocks.filter(({ text }) => text.includes(beginning))
  const in_blocks = found
    .slice(0, MAX_COUNTED_BLOCKS)
    .map(({ block }) => (block.is_heading ? POINTS.heading : POINTS.text))
  return [...places, ...in_blocks].reduce((sum, points) => sum + points, 0)
}

/** Returns the paragraph with the most words, the first of equal ones; the summary if only keywords fit. */
const bestBlock = ({ blocks, page }: IndexedPage, words: readonly string[]): TextBlock => {
  let best: TextBlock = { text: page.summary, anchor: '', is_heading: false }
  let most = 0
  for (const { block, text } of blocks) {
    if (block.is_heading) continue
    const count = words.filter((word) => text.includes(` ${word}`)).length
    if (count > most) {
      best = block
      most = count
    }
  }
  return best
}

/**
 * Returns the pages that contain words of a search, best first: pages with more of its words, then those with more points.
 * The time is linear in the size of the help, because the words are few.
 */
export const searchHelp = (index: SearchIndex, searched: string): SearchResult[] => {
  const words = searchWords(searched)
  return index
    .map((page) => {
      const points = words.map((word) => pointsOf(page, word))
      return {
        page,
        nb_words: points.filter(Boolean).length,
        points: points.reduce((sum, each) => sum + each, 0),
      }
    })
    .filter(({ nb_words }) => nb_words > 0)
    .sort((left, right) => right.nb_words - left.nb_words || right.points - left.points)
    .filter(({ nb_words }, _, [first]) => nb_words === first?.nb_words)
    .slice(0, MAX_RESULTS)
    .map(({ page }) => ({ page: page.page, block: bestBlock(page, words) }))
}
