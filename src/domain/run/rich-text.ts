import { isWebAddress } from '#domain/common/addresses.ts'
import { hasInvisible } from '#domain/common/text.ts'
import type {
  Snapshot,
  SnapshotQuestion,
  SnapshotResult,
  SnapshotTextBlock,
} from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'

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
export const mayHaveMarks = (text: string): boolean => /[*_]|\]\(|^\s*-\s/m.test(text)

/** Text block with parsed text. */
export type RichTextBlock = Omit<SnapshotTextBlock, 'content'> & { content: RichText }
/** Question with a parsed help text in `help_text`, which replaces `help`. */
export type RichQuestion = SnapshotQuestion & { help_text?: RichText | undefined }
/** Result with a parsed description. */
export type RichResult = Omit<SnapshotResult, 'description'> & { description: RichText | null }
type RichQuiz = Omit<Snapshot['quiz'], 'welcome_text' | 'end_text'> & {
  welcome_text?: RichText | null | undefined
  end_text?: RichText | null | undefined
}
/** Snapshot with parsed texts, as the player shows it. */
export type RichSnapshot = Omit<Snapshot, 'quiz' | 'questions' | 'text_blocks' | 'results'> & {
  quiz: RichQuiz
  questions: RichQuestion[]
  text_blocks: RichTextBlock[]
  results: RichResult[]
  /** Reachable totals, only for pages that show them. */
  totals?: Range
}

/** Returns the snapshot with its formatted texts parsed by `read`. Blank texts stay absent. */
export const readTexts = (snapshot: Snapshot, read: (text: string) => RichText): RichSnapshot => {
  const { quiz, questions, text_blocks, results } = snapshot
  const { welcome_text, end_text, ...others } = quiz
  return {
    ...snapshot,
    quiz: {
      ...others,
      ...(welcome_text && { welcome_text: read(welcome_text) }),
      ...(end_text && { end_text: read(end_text) }),
    },
    questions: questions.map(({ help, ...question }) => ({
      ...question,
      ...(help && { help_text: read(help) }),
    })),
    text_blocks: text_blocks.map((block) => ({ ...block, content: read(block.content) })),
    results: results.map((result) => ({
      ...result,
      description: result.description && read(result.description),
    })),
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

const plainBlock = (block: Block): string =>
  'list' in block
    ? block.list.map((item) => `- ${plainText(item)}`).join('\n')
    : block.map(plainInline).join('')

const plainInline = (inline: Inline): string => {
  if (typeof inline === 'string') return inline
  if ('a' in inline) return inline.a.map(plainInline).join('')
  return ('em' in inline ? inline.em : inline.strong).map(plainInline).join('')
}
