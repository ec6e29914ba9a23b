import { createElement, type ReactNode } from 'react'
import type { Block, Inline } from '#domain/rich-text.ts'
import { frenchText } from './french-text.ts'
import { linkedText, NEW_TAB } from './linked-text.ts'
import './rich-blocks.css'

/** The marks of a text as elements: paragraphs and lists. */
export const drawBlocks = (blocks: readonly Block[]): ReactNode[] =>
  blocks.map((block) =>
    'list' in block
      ? createElement('ul', null, ...block.list.map(drawItem))
      : createElement('p', null, ...drawInlines(block)),
  )

/** An item that begins with a paragraph begins with its words. */
const drawItem = (item: Block[]): ReactNode => {
  const [first] = item
  return createElement(
    'li',
    null,
    ...(first && !('list' in first)
      ? [...drawInlines(first), ...drawBlocks(item.slice(1))]
      : drawBlocks(item)),
  )
}

const drawInlines = (inlines: readonly Inline[], drawText = linkedText): ReactNode[] =>
  inlines.map((inline) => {
    if (typeof inline === 'string') return drawText(inline)
    // A link has no other link in it.
    if ('a' in inline) {
      const { a, href } = inline
      return createElement('a', { href, ...NEW_TAB }, ...drawInlines(a, frenchText))
    }
    return 'em' in inline
      ? createElement('em', null, ...drawInlines(inline.em, drawText))
      : createElement('strong', null, ...drawInlines(inline.strong, drawText))
  })
