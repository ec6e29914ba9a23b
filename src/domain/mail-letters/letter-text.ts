import { escapeHtml } from '#domain/common/escape-html.ts'
import { type Block, blocksOf, type Inline, type RichText } from '#domain/run/rich-text.ts'

/**
 * Characters that are removed from mails. Control characters could end a header; direction marks could disguise an
 * address or a file name.
 */
const INVISIBLE =
  /[\p{Cc}\u{2028}\u{2029}\u{061c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]+/gu

/** Removes invisible characters from a part of a line and keeps the surrounding spaces. */
const visiblePart = (text: string): string => text.toWellFormed().replaceAll(INVISIBLE, ' ')

/** Returns user text as one visible line; it stays plain words (ASVS 1.3.11). */
export const visibleText = (text: string): string => visiblePart(text).trim()

/** Inline styles of a text in a mail. */
export type TextStyle = { block: string; link: string }

/** Returns words as HTML, with their line breaks. */
const toHtmlLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => escapeHtml(visiblePart(line)))
    .join('<br>')

const inlineHtml = (inline: Inline, style: TextStyle): string => {
  if (typeof inline === 'string') return toHtmlLines(inline)
  const within = (parts: readonly Inline[]): string =>
    parts.map((part) => inlineHtml(part, style)).join('')
  if ('a' in inline) {
    const href = escapeHtml(visiblePart(inline.href).trim())
    return `<a href="${href}" style="${style.link}">${within(inline.a)}</a>`
  }
  return 'em' in inline
    ? `<em>${within(inline.em)}</em>`
    : `<strong>${within(inline.strong)}</strong>`
}

const blockHtml = (block: Block, style: TextStyle): string => {
  if (!('list' in block))
    return `<p style="${style.block}">${block.map((part) => inlineHtml(part, style)).join('')}</p>`
  const items = block.list.map(
    (item) => `<li>${item.map((part) => itemHtml(part, style)).join('')}</li>`,
  )
  return `<ul style="${style.block};margin-left:24px;padding:0">${items.join('')}</ul>`
}

/** Returns the HTML of a list item, in which a paragraph is its words alone. */
const itemHtml = (block: Block, style: TextStyle): string =>
  'list' in block ? blockHtml(block, style) : block.map((part) => inlineHtml(part, style)).join('')

/** Returns a rich text as the HTML of a mail; its words are escaped. */
export const htmlOfText = (text: RichText, style: TextStyle): string =>
  blocksOf(text)
    .map((block) => blockHtml(block, style))
    .join('\n')

const inlineText = (inline: Inline): string => {
  if (typeof inline === 'string') return inline
  if (!('a' in inline)) return ('em' in inline ? inline.em : inline.strong).map(inlineText).join('')
  const words = inline.a.map(inlineText).join('')
  return words === inline.href ? words : `${words} (${inline.href})`
}

const blockLines = (block: Block): string[] => {
  if (!('list' in block)) return block.map(inlineText).join('').split(/\r?\n/)
  return block.list.flatMap((item) =>
    item.flatMap(blockLines).map((line, place) => `${place === 0 ? '- ' : '  '}${line}`),
  )
}

/** Returns a rich text as lines of plain text, one group for each paragraph and list. */
export const linesOfText = (text: RichText): string[][] => blocksOf(text).map(blockLines)
