import { fromMarkdown, type Options } from 'mdast-util-from-markdown'
import { list } from 'micromark-core-commonmark'
import {
  type Block,
  type Inline,
  isTextLink,
  mayHaveMarks,
  type RichText,
} from '#domain/run/rich-text.ts'

/**
 * Micromark options that disable all constructs except strong, emphasis, links and lists written `- `. Other syntax
 * remains plain text.
 */
const ONLY_OURS: NonNullable<Options['extensions']>[number] = {
  disable: {
    null: [
      'autolink',
      'blockQuote',
      'characterEscape',
      'characterReference',
      'codeFenced',
      'codeIndented',
      'codeText',
      'definition',
      'hardBreakEscape',
      'headingAtx',
      'htmlFlow',
      'htmlText',
      'list',
      'setextUnderline',
      'thematicBreak',
    ],
  },
  // A different construct name keeps the dash list enabled. Each item is a list, which is joined
  // with the previous one.
  document: { 45: { ...list, name: 'dashList' } },
}

/**
 * Maximum number of marks or lines of a parsed text, so that parsing takes at most about 20 ms. Longer texts remain
 * plain.
 */
const MAX_MARKS = 500
const MAX_LINES = 500
const TOO_DEEP = /^(?:[ \t]*-[ \t]){7}|^[ \t]{24}/m
/** Maximum nesting of marks and lists; deeper ones remain plain text. */
const DEEPEST = 6

const MARK = /[*_[\]]/g
const LIST_MARKS = /^[ \t]*-[ \t](?:[ \t]*-[ \t])*/gm
const INSERTION = /\{\{[^{}]*\}\}/g
/** First private-use character. One such character replaces each insertion during parsing. */
const FIRST_STAND_IN = 0xe000
const LAST_STAND_IN = 0xf8ff

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]

/** Parses the marks of a text (docs/decisions/028). Returns the text itself if it has none. */
export const parseRichText = (text: string): RichText => {
  if (!mayHaveMarks(text) || isTooMuch(text)) return text
  const { hidden, restore } = hideInsertions(text)
  const { children } = fromMarkdown(hidden, { extensions: [ONLY_OURS] })
  const reading = { source: hidden, restore }
  const blocks = blocksOf(children, reading, 0)
  return blocks.every(isPlain) ? text : blocks
}

const countListMarks = (text: string): number =>
  text.match(LIST_MARKS)?.reduce((count, marks) => count + marks.split('-').length - 1, 0) ?? 0

const isTooMuch = (text: string): boolean =>
  (text.match(MARK)?.length ?? 0) > MAX_MARKS ||
  text.split('\n', MAX_LINES + 1).length > MAX_LINES ||
  TOO_DEEP.test(text) ||
  countListMarks(text) > MAX_MARKS

const isPlain = (block: Block): boolean =>
  !('list' in block) && block.every((inline) => typeof inline === 'string')

type ParsingState = { source: string; restore: (text: string) => string }

/** Replaces insertions by single characters before parsing, so that `{{mon_nom}}` is not parsed as emphasis. */
const hideInsertions = (text: string): { hidden: string; restore: ParsingState['restore'] } => {
  const hiddenBy = new Map<string, string>()
  let next = FIRST_STAND_IN
  const hidden = text.replace(INSERTION, (insertion) => {
    while (next <= LAST_STAND_IN && text.includes(String.fromCharCode(next))) next++
    if (next > LAST_STAND_IN) return insertion
    const standIn = String.fromCharCode(next++)
    hiddenBy.set(standIn, insertion)
    return standIn
  })
  return {
    hidden,
    restore: (part) => part.replace(/[\ue000-\uf8ff]/g, (letter) => hiddenBy.get(letter) ?? letter),
  }
}

/** Returns the typed text of a node. */
const typedTextOf = ({ position }: Node, { source, restore }: ParsingState): string =>
  restore(source.slice(position?.start.offset, position?.end.offset))

const blocksOf = (nodes: readonly Node[], reading: ParsingState, depth: number): Block[] => {
  const blocks: Block[] = []
  for (const node of nodes) {
    const last = blocks.at(-1)
    if (node.type === 'list' && depth < DEEPEST) {
      const items = node.children.map(({ children }) => blocksOf(children, reading, depth + 1))
      if (last && 'list' in last) last.list.push(...items)
      else blocks.push({ list: items })
    } else if (node.type === 'paragraph') blocks.push(inlinesOf(node.children, reading, depth))
    else blocks.push([typedTextOf(node, reading)])
  }
  return blocks
}

const inlinesOf = (nodes: readonly Node[], reading: ParsingState, depth: number): Inline[] => {
  const inlines: Inline[] = []
  for (const node of nodes) {
    const inline = inlineOf(node, reading, depth)
    const last = inlines.at(-1)
    if (typeof inline === 'string' && typeof last === 'string')
      inlines[inlines.length - 1] = last + inline
    else inlines.push(inline)
  }
  return inlines
}

const inlineOf = (node: Node, reading: ParsingState, depth: number): Inline => {
  if (node.type === 'text') return reading.restore(node.value)
  if (node.type === 'break') return '\n'
  if (depth >= DEEPEST) return typedTextOf(node, reading)
  if (node.type === 'emphasis') return { em: inlinesOf(node.children, reading, depth + 1) }
  if (node.type === 'strong') return { strong: inlinesOf(node.children, reading, depth + 1) }
  if (node.type !== 'link') return typedTextOf(node, reading)
  const href = reading.restore(node.url)
  if (!isTextLink(href)) return typedTextOf(node, reading)
  return { a: inlinesOf(node.children, reading, depth + 1), href }
}
