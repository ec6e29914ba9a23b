import { isWebAddress } from '#domain/common/addresses.ts'
import { hasInvisible } from '#domain/common/text.ts'
import type {
  Snapshot,
  SnapshotQuestion,
  SnapshotResult,
  SnapshotTextBlock,
} from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'

/** Words with their marks; a link has one of the schemes of `isTextLink`. */
export type Inline =
  | string
  | { strong: Inline[] }
  | { em: Inline[] }
  | { a: Inline[]; href: string }
/** A paragraph, whose line breaks are kept, or a list of items. */
export type Block = Inline[] | { list: Block[][] }
/** A text that creators write: the text itself where it has no marks, else what its marks say. */
export type RichText = string | Block[]

/** False for a text that surely has no marks. */
export const mayHaveMarks = (text: string): boolean => /[*_]|\]\(|^\s*-\s/m.test(text)

/** The same snapshot with what its texts' marks say: what the player shows. */
export type RichTextBlock = Omit<SnapshotTextBlock, 'content'> & { content: RichText }
/** With its help as its marks say it, in place of `help` as it was typed. */
export type RichQuestion = SnapshotQuestion & { help_text?: RichText | undefined }
export type RichResult = Omit<SnapshotResult, 'description'> & { description: RichText | null }
type RichQuiz = Omit<Snapshot['quiz'], 'welcome_text' | 'end_text'> & {
  welcome_text?: RichText | null | undefined
  end_text?: RichText | null | undefined
}
export type RichSnapshot = Omit<Snapshot, 'quiz' | 'questions' | 'text_blocks' | 'results'> & {
  quiz: RichQuiz
  questions: RichQuestion[]
  text_blocks: RichTextBlock[]
  results: RichResult[]
  /** The totals that answers can give, where a visitor's page shows them. */
  totals?: Range
}

/** The snapshot with each text that takes marks as `read` reads it; what is blank stays absent. */
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

/** A destination in parentheses after a text in brackets, that is meant as an address. */
const DESTINATION = /\]\(\s*<?((?:[a-z][a-z\d+.-]*:|www\.)[^\s()<>]+)/gi

/** The addresses of a text's links that `isTextLink` refuses, as typed: such a link stays literal text. */
export const refusedLinks = (text: string): string[] =>
  Array.from(text.matchAll(DESTINATION), ([, address = '']) => address).filter(
    (address) => !isTextLink(address),
  )

/** The words of a text without its marks: a line for each paragraph and item, for descriptions and mails. */
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
