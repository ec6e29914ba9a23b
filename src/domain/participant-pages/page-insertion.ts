import { type Block, blocksOf, type Inline, type RichText } from '#domain/run/rich-text.ts'

/** Reserved name of the address of the participant’s page, which only the text of a result mail can insert. */
export const PAGE_INSERTION = 'ma page'

/** Returns the text with each occurrence of an address as a link. */
export const linkifyAddress = (text: RichText, address: string): RichText =>
  typeof text === 'string' && !text.includes(address)
    ? text
    : blocksOf(text).map((block) => linkBlock(block, address))

const linkBlock = (block: Block, address: string): Block =>
  'list' in block
    ? { list: block.list.map((item) => item.map((part) => linkBlock(part, address))) }
    : linkInlines(block, address)

const linkInlines = (inlines: readonly Inline[], address: string): Inline[] =>
  inlines.flatMap((inline): Inline[] => {
    if (typeof inline === 'string') return linkWords(inline, address)
    if ('strong' in inline) return [{ strong: linkInlines(inline.strong, address) }]
    if ('em' in inline) return [{ em: linkInlines(inline.em, address) }]
    return [inline]
  })

const linkWords = (words: string, address: string): Inline[] =>
  words
    .split(address)
    .flatMap((part, rank): Inline[] =>
      rank === 0 ? [part] : [{ a: [address], href: address }, part],
    )
    .filter((part) => part !== '')
