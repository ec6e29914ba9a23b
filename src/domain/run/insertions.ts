import { shortenText, trimText } from '#domain/common/text.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { pagesLeftOut } from './path.ts'
import { formatReply } from './replies.ts'
import type { Block, Inline, RichText } from './rich-text.ts'
import { type Scorable, totalScore } from './scoring.ts'

/** What a text names and a run fills in: `{{score}}`, `{{résultat}}`, or the reply to an earlier question by its `label`. */

/** What stands for each insertion, by `insertionKey`; '' is a blank value. */
export type Insertions = ReadonlyMap<string, string>

/** The names that only the end of a run knows, which no question may have as its label. */
export const SCORE = 'score'
export const RESULT = 'résultat'

const INSERTION = /\{\{([^{}]*)\}\}/g

/** Longest inserted reply, in characters; a longer reply is cut, because a text may insert it many times. */
const MAX_INSERTED_LETTERS = 200

/** What two spellings of a name have in common: case and outer spaces do not count. */
export const insertionKey = (name: string): string => trimText(name).toLowerCase().normalize()

/** The names between double braces in a text, as typed and in their order. */
export const insertionsIn = (text: string): string[] =>
  text.includes('{{') ? Array.from(text.matchAll(INSERTION), ([, name = '']) => name) : []

/** Returns the values that a run inserts by name: shortened replies and, at the end, the score and the result. */
export const insertionsOf = (
  snapshot: Scorable<unknown>,
  replies: Replies,
  result?: { name: string } | null,
): Insertions => {
  const values = new Map<string, string>()
  const isLeftOut = pagesLeftOut(snapshot.questions, replies)
  for (const question of snapshot.questions) {
    const { label, page_number } = question
    if (label)
      values.set(
        insertionKey(label),
        isLeftOut(page_number)
          ? ''
          : shortenText(formatReply(question, replies).trim(), MAX_INSERTED_LETTERS),
      )
  }
  if (result !== undefined) {
    values.set(SCORE, `${totalScore(snapshot, replies) ?? ''}`)
    values.set(RESULT, result?.name ?? '')
  }
  return values
}

/** The place of a blank value, and the joint of two texts that are filled as one: characters that no text has. */
const GAP = '\ufdd0'
const JOINT = '\ufdd1'

const inserted = (text: string, write: (value: string) => string, values: Insertions): string =>
  text.replace(INSERTION, (typed, name: string) => {
    const value = values.get(insertionKey(name))
    return value === undefined ? typed : write(value)
  })

/**
 * Texts that follow each other, filled. What a blank value leaves behind goes with it: brackets around it, a
 * space or a comma before the end of a sentence, a comma at its beginning.
 */
const fillTogether = (texts: readonly string[], values: Insertions): string[] => {
  const joined = texts.join(JOINT)
  if (!joined.includes('{{')) return [...texts]
  return inserted(joined, (value) => value.replace(/[\ufdd0\ufdd1]/g, '') || GAP, values)
    .replace(/[(«“"]\s?(\ufdd1*)\ufdd0(\ufdd1*)\s?[)»”"]/g, '$1\ufdd0$2')
    .replace(/^(\ufdd1*)\ufdd0(\ufdd1*)[,;:]?[^\S\n]*/gm, '$1$2')
    .replace(/,?[^\S\n]?(\ufdd1*)\ufdd0(\ufdd1*)(?=\s?[.!?…]|$)/gm, '$1$2')
    .replace(/[^\S\n](\ufdd1*)\ufdd0(\ufdd1*)(?=[\s,;:)])/g, '$1$2')
    .replaceAll(GAP, '')
    .split(JOINT)
}

/** The text with each known insertion replaced; others stay as typed, and the surroundings of a blank value readable. */
export const fillInsertions = (text: string, values: Insertions): string =>
  fillTogether([text], values).join('')

/** The same for an address: each value as one part of it, encoded. */
export const fillAddress = (address: string, values: Insertions): string =>
  inserted(
    address,
    // Half a character has no encoding.
    (value) => encodeURIComponent(value.replace(/[\ud800-\udfff]/gu, '')),
    values,
  )

/** The same for a text with its marks. */
export const fillRichText = (text: RichText, values: Insertions): RichText =>
  typeof text === 'string' ? fillInsertions(text, values) : fillBlocks(text, values)

const fillBlocks = (blocks: readonly Block[], values: Insertions): Block[] =>
  blocks.map((block) => {
    if ('list' in block) return { list: block.list.map((item) => fillBlocks(item, values)) }
    const filled = fillTogether(leavesOf(block), values)
    return withLeaves(block, filled, values)
  })

const partsOf = (inline: Exclude<Inline, string>): Inline[] => {
  if ('a' in inline) return inline.a
  return 'em' in inline ? inline.em : inline.strong
}

const leavesOf = (inlines: readonly Inline[]): string[] =>
  inlines.flatMap((inline) => (typeof inline === 'string' ? inline : leavesOf(partsOf(inline))))

/** The same marks around other words, which are taken from `leaves` in their order. */
const withLeaves = (inlines: readonly Inline[], leaves: string[], values: Insertions): Inline[] =>
  inlines.map((inline) => {
    if (typeof inline === 'string') return leaves.shift() ?? ''
    const parts = withLeaves(partsOf(inline), leaves, values)
    if ('a' in inline) return { a: parts, href: fillAddress(inline.href, values) }
    return 'em' in inline ? { em: parts } : { strong: parts }
  })
