/** @jsxImportSource #web/player */
import { fillInsertions, fillRichText } from '#domain/run/rich-text.ts'
import type { LineProps, TextProps } from '#web/player/parts.ts'
import { linkedText, renderBlocks } from './rich-blocks.ts'

/** Renders a text of the creator with its marks as elements and its insertions filled in. */
export const RichTextElement = ({ id, text, insertions, className = 'q-text' }: TextProps) => {
  const filled = insertions ? fillRichText(text, insertions) : text
  const Tag = typeof filled === 'string' ? 'p' : 'div'
  return (
    // A browser's translation detaches text nodes, so a changed text needs a new element.
    <Tag
      key={insertions ? JSON.stringify(filled) : undefined}
      id={id}
      className={className}
      dir="auto"
    >
      {typeof filled === 'string' ? linkedText(filled) : renderBlocks(filled)}
    </Tag>
  )
}

/** Renders a line of text with its insertions filled in. */
export const FilledLine = ({ text, insertions }: LineProps) => {
  const filled = insertions ? fillInsertions(text, insertions) : text
  return filled === text ? linkedText(text) : <span key={filled}>{linkedText(filled)}</span>
}
