import type { ReactNode } from 'react'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import type { Block, Inline } from '#domain/run/rich-text.ts'
import { Fragment, jsx } from '#web/player/jsx-runtime'
import './rich-blocks.css'

/** A web or email address, without the punctuation that ends its sentence or a bracket that closes around it. */
const ADDRESS =
  /\b((?:https?:\/\/|www\.)(?:[.,;:!?…'’\]}*]*(?:[^\s()<>«»"“”.,;:!?…'’\]}*]|\([^\s()]*\)))+|(?:mailto:)?[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+)/i

/** Attributes of the links in a text. */
const NEW_TAB = { target: '_blank', rel: 'noopener' }

/**
 * Returns the scheme to add to an address; '' for an address that has one. Web addresses without a scheme begin with
 * `www.`, and other addresses are email addresses.
 */
const schemeOf = (address: string): string => {
  if (/^\w+:/.test(address)) return ''
  return /^www\./i.test(address) ? 'https://' : 'mailto:'
}

/** Renders a French text with its addresses as links. Not for clickable texts such as choices. */
export const linkedText = (text: string) => {
  const parts = tiePunctuation(text)
    .split(ADDRESS)
    .map((part, index) =>
      index % 2 ? jsx('a', { href: schemeOf(part) + part, ...NEW_TAB, children: part }) : part,
    )
  return jsx(Fragment, { children: parts })
}

/** Renders the marks of a text as elements: paragraphs and lists. */
export const renderBlocks = (blocks: readonly Block[]): ReactNode[] =>
  blocks.map((block) =>
    'list' in block
      ? jsx('ul', { children: block.list.map(renderItem) })
      : jsx('p', { children: renderInlines(block) }),
  )

/** Renders a list item. A first paragraph is rendered without `<p>`. */
const renderItem = (item: Block[]): ReactNode => {
  const [first] = item
  const children =
    first && !('list' in first)
      ? [renderInlines(first), renderBlocks(item.slice(1))]
      : renderBlocks(item)
  return jsx('li', { children })
}

const renderInlines = (
  inlines: readonly Inline[],
  drawText: (text: string) => ReactNode = linkedText,
): ReactNode[] =>
  inlines.map((inline) => {
    if (typeof inline === 'string') return drawText(inline)
    // A link contains no other link.
    if ('a' in inline) {
      const { a, href } = inline
      return jsx('a', { href, ...NEW_TAB, children: renderInlines(a, tiePunctuation) })
    }
    return 'em' in inline
      ? jsx('em', { children: renderInlines(inline.em, drawText) })
      : jsx('strong', { children: renderInlines(inline.strong, drawText) })
  })
