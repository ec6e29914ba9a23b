import { isWebAddress } from '#domain/common/addresses.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { hasInvisible, isBlankText, shortenText, trimText } from '#domain/common/text.ts'
import { autocompleteOf } from '#domain/questionnaire/contact-roles.ts'
import {
  dimensionInsertionNames,
  type SnapshotDimension,
} from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type {
  Snapshot,
  SnapshotQuestion,
  SnapshotResult,
  SnapshotTextBlock,
} from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { createIsPageSkipped } from './path.ts'
import { formatReply } from './replies.ts'
import { type ScoredQuiz, totalScore } from './scoring.ts'

/** Formatted words. The scheme of a link is one of `isTextLink`. */
export type Inline =
  | string
  | { strong: Inline[] }
  | { em: Inline[] }
  | { a: Inline[]; href: string }
/** Paragraph with its line breaks, or a list of items. */
export type Block = Inline[] | { list: Block[][] }
/** Text of a creator: a string without formatting, or parsed blocks. */
export type RichText = string | Block[]

/** Returns false if a text certainly has no formatting signs. */
export const mayHaveMarks = (text: string): boolean => /[*_]|\]\(|^[ \t]*-\s/m.test(text)

/** Text block with parsed text. */
export type RichTextBlock = Omit<SnapshotTextBlock, 'content'> & { content: RichText }
/**
 * Question with its parsed texts: `help_text` replaces `help`, and `explanation_text` replaces `explanation`.
 * `autocomplete` is the HTML token of its field.
 */
export type RichQuestion = SnapshotQuestion & {
  help_text?: RichText | undefined
  explanation_text?: RichText | undefined
  autocomplete?: string | undefined
}
/** Result with a parsed description. */
export type RichResult = Omit<SnapshotResult, 'description'> & { description: RichText | null }
/** Conditional text with parsed text. */
type RichTextVariant = Omit<SnapshotTextVariant, 'text'> & { text: RichText }
/** Dimension with parsed texts. */
type RichDimension = Omit<SnapshotDimension, 'description' | 'tiers'> & {
  description: RichText | null
  tiers: (Omit<DimensionTier, 'text'> & { text: RichText | null })[]
}
type RichQuiz = Omit<Snapshot['quiz'], 'welcome_text' | 'end_text'> & {
  welcome_text?: RichText | null | undefined
  end_text?: RichText | null | undefined
}
/** Snapshot with parsed texts, as the player shows it. */
export type RichSnapshot = Omit<
  Snapshot,
  'quiz' | 'questions' | 'text_blocks' | 'results' | 'dimensions' | 'text_variants'
> & {
  quiz: RichQuiz
  questions: RichQuestion[]
  text_blocks: RichTextBlock[]
  results: RichResult[]
  dimensions?: RichDimension[] | undefined
  text_variants?: RichTextVariant[] | undefined
  /** Reachable totals, only for pages that show them. */
  totals?: Range
}

/** Returns the snapshot with its formatted texts parsed by `read`. Blank texts stay absent. */
export const readTexts = (snapshot: Snapshot, read: (text: string) => RichText): RichSnapshot => {
  const { dimensions, text_variants, ...rest } = snapshot
  const { quiz, questions, text_blocks, results } = rest
  const { welcome_text, end_text, ...others } = quiz
  return {
    ...rest,
    quiz: {
      ...others,
      ...(welcome_text && { welcome_text: read(welcome_text) }),
      ...(end_text && { end_text: read(end_text) }),
    },
    questions: questions.map(({ help, explanation, ...question }) => {
      const autocomplete = autocompleteOf(question)
      return {
        ...question,
        ...(help && { help_text: read(help) }),
        ...(explanation && { explanation_text: read(explanation) }),
        ...(autocomplete && { autocomplete }),
      }
    }),
    text_blocks: text_blocks.map((block) => ({ ...block, content: read(block.content) })),
    results: results.map((result) => ({
      ...result,
      description: result.description && read(result.description),
    })),
    ...(dimensions && {
      dimensions: dimensions.map(({ description, tiers, ...dimension }) => ({
        ...dimension,
        description: description && read(description),
        tiers: tiers.map((tier) => ({ ...tier, text: tier.text && read(tier.text) })),
      })),
    }),
    ...(text_variants && {
      text_variants: text_variants.map((variant) => ({ ...variant, text: read(variant.text) })),
    }),
  }
}

const MAIL_OR_CALL = /^(?:mailto:[^\s?{}]+(?:\?\S*)?|tel:\+?[\d().-]+)$/i

/** Returns true if a link of a text may have this address: web, mailto or tel, with insertions after the host only. */
export const isTextLink = (address: string): boolean => {
  const plain = address.replace(/\{\{[^{}]*\}\}/g, '{}')
  return isWebAddress(plain) || (MAIL_OR_CALL.test(plain) && !hasInvisible(plain))
}

/** Destination of a Markdown link that looks like an address. */
const DESTINATION = /\]\(\s*<?((?:[a-z][a-z\d+.-]*:|www\.)[^\s()<>]+)/gi

/** Returns the link addresses that `isTextLink` refuses, as typed. Such links stay literal text. */
export const refusedLinks = (text: string): string[] =>
  Array.from(text.matchAll(DESTINATION), ([, address = '']) => address).filter(
    (address) => !isTextLink(address),
  )

/**
 * Returns the words of a text without formatting, one line for each paragraph and item. Used in descriptions and
 * mails.
 */
export const plainText = (text: RichText): string =>
  typeof text === 'string' ? text : text.map(plainBlock).join('\n')

/** Returns the blocks of a text. Blank lines separate the paragraphs of a text without formatting. */
export const blocksOf = (text: RichText): Block[] =>
  typeof text === 'string'
    ? text
        .split(/\n\s*\n/)
        .filter((part) => !isBlankText(part))
        .map((part) => [part.trim()])
    : text

const plainBlock = (block: Block): string =>
  'list' in block
    ? block.list.map((item) => `- ${plainText(item)}`).join('\n')
    : block.map(plainInline).join('')

const plainInline = (inline: Inline): string =>
  typeof inline === 'string' ? inline : partsOf(inline).map(plainInline).join('')

/**
 * Insertions: names in double braces that a run replaces. Every quiz has `{{score}}`, `{{résultat}}` and the labels of
 * earlier questions. Dimensions add `{{point fort}}`, `{{point faible}}` and, for example, `{{dimension Santé}}`.
 */

/** Inserted values by `insertionKey`; '' for a blank value. */
export type Insertions = ReadonlyMap<string, string>

/** Reserved name of the score, which is known only at the end of a run. Questions cannot have it as label. */
export const SCORE_INSERTION = 'score'
/** Reserved name of the result. */
export const RESULT_INSERTION = 'résultat'

const INSERTION = /\{\{([^{}]*)\}\}/g

/** Longest inserted reply, in characters; a longer reply is cut, because a text may insert it many times. */
const MAX_INSERTED_LETTERS = 200

/** Returns the comparison key of a name. Case and outer white space are ignored. */
export const insertionKey = (name: string): string => normalizeText(trimText(name).toLowerCase())

/** Returns the names in double braces of a text, as typed and in order. */
export const insertionsIn = (text: string): string[] =>
  text.includes('{{') ? Array.from(text.matchAll(INSERTION), ([, name = '']) => name) : []

/**
 * Returns the values that a run inserts by name: shortened replies and, at the end, score and result. `dimensions` are
 * the `dimensionInsertions` of the run; without them, insertions of dimensions are blank.
 */
export const insertionsOf = (
  snapshot: ScoredQuiz<unknown> & { dimensions?: readonly { name: string }[] | undefined },
  replies: Replies,
  result?: { name: string } | null,
  dimensions: readonly (readonly [name: string, value: string])[] = [],
): Insertions => {
  const values = new Map<string, string>()
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  for (const question of snapshot.questions) {
    const { label, page_number } = question
    if (label)
      values.set(
        insertionKey(label),
        isSkipped(page_number)
          ? ''
          : shortenText(formatReply(question, replies).trim(), MAX_INSERTED_LETTERS),
      )
  }
  if (result !== undefined) {
    values.set(SCORE_INSERTION, `${totalScore(snapshot, replies) ?? ''}`)
    values.set(RESULT_INSERTION, result?.name ?? '')
    const blanks = dimensionInsertionNames(snapshot.dimensions ?? []).map(
      (name) => [name, ''] as const,
    )
    for (const [name, value] of [...blanks, ...dimensions]) values.set(insertionKey(name), value)
  }
  return values
}

/**
 * Placeholders of a blank value and of the boundary between two texts. The placeholders are noncharacters, which no
 * text contains.
 */
const GAP = '\ufdd0'
const JOINT = '\ufdd1'

const inserted = (text: string, write: (value: string) => string, values: Insertions): string =>
  text.replace(INSERTION, (typed, name: string) => {
    const value = values.get(insertionKey(name))
    return value === undefined ? typed : write(value)
  })

/**
 * Fills several texts as one. With a blank value, brackets around it and a space or comma next to it are removed too.
 * The gaps of a run of placeholders are put before its boundaries, so that the patterns take linear time.
 */
const fillJoinedTexts = (texts: readonly string[], values: Insertions): string[] => {
  const joined = texts.join(JOINT)
  if (!joined.includes('{{')) return [...texts]
  return inserted(joined, (value) => value.replace(/[\ufdd0\ufdd1]/g, '') || GAP, values)
    .replace(/[\ufdd0\ufdd1]+/g, (run) => [...run].sort().join(''))
    .replace(/[(«“"]\s?\ufdd0(\ufdd1*)\s?[)»”"]/g, '\ufdd0$1')
    .replace(/^\ufdd0(\ufdd1*)[,;:]?[^\S\n]*/gm, '$1')
    .replace(/,?[^\S\n]?\ufdd0(\ufdd1*)(?=\s?[.!?…]|$)/gm, '$1')
    .replace(/[^\S\n]\ufdd0(\ufdd1*)(?=[\s,;:)])/g, '$1')
    .replaceAll(GAP, '')
    .split(JOINT)
}

/**
 * Returns the text with each known insertion replaced. Unknown insertions stay as typed, and blank values leave
 * readable text.
 */
export const fillInsertions = (text: string, values: Insertions): string =>
  fillJoinedTexts([text], values).join('')

/** Returns the address with each insertion replaced by its encoded value. */
export const fillAddress = (address: string, values: Insertions): string =>
  inserted(
    address,
    // A lone surrogate cannot be encoded.
    (value) => encodeURIComponent(value.replace(/\p{Cs}/gu, '')),
    values,
  )

/** Returns the formatted text with each insertion replaced. */
export const fillRichText = (text: RichText, values: Insertions): RichText =>
  typeof text === 'string' ? fillInsertions(text, values) : fillBlocks(text, values)

const fillBlocks = (blocks: readonly Block[], values: Insertions): Block[] =>
  blocks.map((block) => {
    if ('list' in block) return { list: block.list.map((item) => fillBlocks(item, values)) }
    const filled = fillJoinedTexts(leavesOf(block), values)
    return withLeaves(block, filled, values)
  })

const partsOf = (inline: Exclude<Inline, string>): Inline[] => {
  if ('a' in inline) return inline.a
  return 'em' in inline ? inline.em : inline.strong
}

const leavesOf = (inlines: readonly Inline[]): string[] =>
  inlines.flatMap((inline) => (typeof inline === 'string' ? inline : leavesOf(partsOf(inline))))

/** Replaces the words inside the formatting by `leaves`, in their order. */
const withLeaves = (inlines: readonly Inline[], leaves: string[], values: Insertions): Inline[] =>
  inlines.map((inline) => {
    if (typeof inline === 'string') return leaves.shift() ?? ''
    const parts = withLeaves(partsOf(inline), leaves, values)
    if ('a' in inline) return { a: parts, href: fillAddress(inline.href, values) }
    return 'em' in inline ? { em: parts } : { strong: parts }
  })
