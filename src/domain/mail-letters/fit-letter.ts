import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { cutText } from '#domain/common/text.ts'
import { type Block, blocksOf, plainText, type RichText } from '#domain/run/rich-text.ts'
import type { Letter } from './letter.ts'
import { renderLetterHtml } from './letter-html.ts'
import { htmlOfText } from './letter-text.ts'

/**
 * Maximum length of the HTML of a mail, in bytes. Gmail hides the end of a mail from 102 KB, with the headers of the part;
 * the link to unsubscribe is at this end.
 */
export const MAX_MAIL_BYTES = 90_000

/** Returns the number of bytes of a text in UTF-8. */
const utf8Length = (text: string): number => {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    // Each half of a surrogate pair counts two of its four bytes.
    else bytes += code >= 0xd800 && code < 0xe000 ? 2 : 3
  }
  return bytes
}

const STYLE = { block: 'x'.repeat(70), link: 'x'.repeat(16) }

/** Returns the bytes of a block in the HTML of a mail, or slightly more. */
const blockBytes = (block: Block): number =>
  utf8Length(tiePunctuation(htmlOfText([block], STYLE))) + 1

/** Sentence at the end of a shortened text. */
const continuation = ({ continues_at }: Letter): Block =>
  continues_at
    ? [{ em: ['La suite est sur '] }, { a: [continues_at.label], href: continues_at.url }, '.']
    : [{ em: ['La suite de ce texte n’a pas tenu dans cet email.'] }]

/** Length at which a block that is too long alone is cut, in characters: its words without formatting. */
const MAX_CUT_LETTERS = 1_000
/** Most bytes of a character in HTML: an apostrophe is `&#39;`, a euro sign has three bytes. */
const MAX_CHARACTER_BYTES = 6

/** Returns the first blocks of a text that fit, followed by the continuation. A text that fits stays unchanged. */
const shorten = (text: RichText, max_bytes: number, more: Block): RichText => {
  const blocks = blocksOf(text)
  const sizes = blocks.map(blockBytes)
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  if (total <= max_bytes) return text
  let left = max_bytes - blockBytes(more)
  const kept: Block[] = []
  for (const [index, block] of blocks.entries()) {
    const bytes = sizes[index] ?? 0
    if (bytes > left) break
    left -= bytes
    kept.push(block)
  }
  const [first] = blocks
  if (kept.length > 0 || !first) return [...kept, more]
  const max_letters = Math.min(MAX_CUT_LETTERS, Math.floor(left / MAX_CHARACTER_BYTES) - 40)
  if (max_letters <= 0) return [more]
  return [[`${cutText(plainText([first]), max_letters).trimEnd()}…`], more]
}

/** Returns the largest size that texts may have so that all of them together have at most `budget` bytes. */
const capOf = (sizes: readonly number[], budget: number): number => {
  let left = budget
  const sorted = [...sizes].sort((a, b) => a - b)
  for (const [index, bytes] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (bytes > share) return Math.floor(share)
    left -= bytes
  }
  return Number.POSITIVE_INFINITY
}

const textsOf = ({ body, parts = [] }: Letter): RichText[] => [
  ...(body === undefined ? [] : [body]),
  ...parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
]

const withTexts = (letter: Letter, change: (text: RichText) => RichText): Letter => ({
  ...letter,
  ...(letter.body !== undefined && { body: change(letter.body) }),
  ...(letter.parts && {
    parts: letter.parts.map((part) =>
      part.kind === 'text' ? { ...part, text: change(part.text) } : part,
    ),
  }),
})

/** Returns the size of the HTML of a letter in bytes. */
export const letterBytes = (letter: Letter): number => utf8Length(renderLetterHtml(letter))

/**
 * Returns a letter whose HTML has at most MAX_MAIL_BYTES. The longest texts of a longer letter end at the border of a
 * block, and say where the rest is. The closing lines and the link to unsubscribe never change.
 */
export const fitLetter = (letter: Letter): Letter => {
  if (letterBytes(letter) <= MAX_MAIL_BYTES) return letter
  const fixed = letterBytes(withTexts(letter, () => []))
  const more = continuation(letter)
  const sizes = textsOf(letter).map((text) =>
    blocksOf(text).reduce((sum, block) => sum + blockBytes(block), 0),
  )
  const cap = capOf(sizes, MAX_MAIL_BYTES - fixed)
  return withTexts(letter, (text) => shorten(text, cap, more))
}
