import { createElement } from 'react'
import { fillInsertions, fillRichText, type Insertions } from '#domain/run/insertions.ts'
import type { RichText } from '#domain/run/rich-text.ts'
import { drawBlocks, linkedText } from './rich-blocks.ts'

/**
 * A text that changes while its page is shown. The translation of a browser replaces text nodes by its own
 * elements, and React and Preact still write to the detached nodes. The key replaces the element with every
 * text, and the translation with it.
 */
export const ChangingText = ({ children }: { children: string }) => (
  <span key={children}>{children}</span>
)

/** What fills the insertions of the texts; nothing on a page that has none. */
type Filling = Insertions | null | undefined

/** A text of the creator's: its marks drawn as elements, its insertions filled in. */
export const RichTextElement = ({
  id,
  text,
  insertions,
  className = 'q-text',
}: {
  id?: string
  text: RichText
  insertions?: Filling
  className?: string
}) => {
  const filled = insertions ? fillRichText(text, insertions) : text
  // A browser's translation detaches text nodes, so another text is another element.
  const attributes = { key: insertions && JSON.stringify(filled), id, className, dir: 'auto' }
  return typeof filled === 'string'
    ? createElement('p', attributes, linkedText(filled))
    : createElement('div', attributes, ...drawBlocks(filled))
}

/** A line of text with its insertions filled in. */
export const filledText = (text: string, insertions: Filling): string =>
  insertions ? fillInsertions(text, insertions) : text

/** The same, drawn. */
export const FilledLine = ({ text, insertions }: { text: string; insertions: Filling }) => {
  const filled = filledText(text, insertions)
  return filled === text ? linkedText(text) : <span key={filled}>{linkedText(filled)}</span>
}
