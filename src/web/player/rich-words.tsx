import { createElement } from 'react'
import { fillInsertions, fillRichText, type Insertions } from '#domain/insertions.ts'
import type { RichText } from '#domain/rich-text.ts'
import { linkedText } from './linked-text.ts'
import { drawBlocks } from './rich-blocks.ts'

/** What fills the insertions of the texts; nothing on a page that has none. */
type Filling = Insertions | null | undefined

/** A text of the creator's: its marks drawn as elements, its insertions filled in. */
export const RichWords = ({
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
export const FilledText = ({ text, insertions }: { text: string; insertions: Filling }) => {
  const filled = filledText(text, insertions)
  return filled === text ? linkedText(text) : <span key={filled}>{linkedText(filled)}</span>
}
