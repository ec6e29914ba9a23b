import { createElement } from 'react'
import {
  fillInsertions,
  fillRichText,
  type Insertions,
  type RichText,
} from '#domain/run/rich-text.ts'
import { linkedText, renderBlocks } from './rich-blocks.ts'

/**
 * Renders a text that changes while its page is shown. A browser's translation replaces text nodes, and React and
 * Preact still write to the detached nodes. The key therefore replaces the element with every new text.
 */
export const ChangingText = ({ children }: { children: string }) => (
  <span key={children}>{children}</span>
)

/** Values of the insertions in the texts; null or undefined on a page without insertions. */
type InsertionValues = Insertions | null | undefined

/** Renders a text of the creator with its marks as elements and its insertions filled in. */
export const RichTextElement = ({
  id,
  text,
  insertions,
  className = 'q-text',
}: {
  id?: string
  text: RichText
  insertions?: InsertionValues
  className?: string
}) => {
  const filled = insertions ? fillRichText(text, insertions) : text
  // A browser's translation detaches text nodes, so a changed text needs a new element.
  const attributes = { key: insertions && JSON.stringify(filled), id, className, dir: 'auto' }
  return typeof filled === 'string'
    ? createElement('p', attributes, linkedText(filled))
    : createElement('div', attributes, ...renderBlocks(filled))
}

/** Returns a line of text with its insertions filled in. */
export const filledText = (text: string, insertions: InsertionValues): string =>
  insertions ? fillInsertions(text, insertions) : text

/** Renders a line of text with its insertions filled in. */
export const FilledLine = ({ text, insertions }: { text: string; insertions: InsertionValues }) => {
  const filled = filledText(text, insertions)
  return filled === text ? linkedText(text) : <span key={filled}>{linkedText(filled)}</span>
}
