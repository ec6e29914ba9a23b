/** A replacement in a text, and the selection after it. */
export type TextEdit = {
  from: number
  to: number
  insert: string
  /** Offsets from the beginning of the text. */
  selection: [start: number, end: number]
}

/** A mark that the toolbar can add. */
export type Mark = 'strong' | 'em' | 'link' | 'list'

/** Returns the edit that toggles bold, italic or a list, or inserts a link. At the end of a mark, only the caret moves. */
export const markText = (text: string, start: number, end: number, mark: Mark): TextEdit => {
  if (mark === 'link') return linkText(text, start, end)
  return mark === 'list' ? listText(text, start, end) : toggleAsterisks(text, start, end, mark)
}

/** Returns the edit that replaces the selection. */
export const insertText = (start: number, end: number, insert: string): TextEdit => {
  const after = start + insert.length
  return { from: start, to: end, insert, selection: [after, after] }
}

/**
 * Splits a line into its list marker, its words and its outer spaces. A mark cannot reach across lines, so each line gets
 * its own.
 */
const splitLine = (line: string): [lead: string, inner: string, trail: string] => {
  const [lead = ''] = /^\s*(?:-\s+)?/.exec(line) ?? []
  const inner = line.slice(lead.length).trimEnd()
  return [lead, inner, line.slice((lead + inner).length)]
}

const NO_ASTERISK = /[^*]/
const NO_WORD = /[^\p{L}\p{N}’'-]/u

/** Returns the number of letters before the first match of `other`. */
const nbBefore = (text: string, other: RegExp): number => text.split(other, 1)[0]?.length ?? 0
/** Returns the number of letters after the last match of `other`. */
const nbAfter = (text: string, other: RegExp): number => text.split(other).at(-1)?.length ?? 0

/** Returns the edit that adds or removes the asterisks of a mark around the selection, or around the word at the caret. */
const toggleAsterisks = (
  text: string,
  selected: number,
  selected_to: number,
  mark: 'strong' | 'em',
): TextEdit => {
  const [start, end] = selected === selected_to ? wordAt(text, selected) : [selected, selected_to]
  const size = mark === 'strong' ? 2 : 1
  const around = '*'.repeat(size)
  // Number of asterisks on a side: one is emphasis, two are strong, three are both.
  const before = nbAfter(text.slice(0, start), NO_ASTERISK)
  const after = nbBefore(text.slice(end), NO_ASTERISK)
  const both = Math.min(before, after)
  if (hasMark(both, mark)) {
    const insert = text.slice(start, end)
    const from = start - size
    return { from, to: end + size, insert, selection: [from, from + insert.length] }
  }
  const words = text.slice(start, end)
  // The caret moves behind the mark if it is at the end of a marked text.
  if (words === '' && hasMark(after, mark) && isOpenBefore(text, start, around))
    return { from: start, to: end, insert: '', selection: [end + size, end + size] }
  if (words === '')
    return {
      from: start,
      to: end,
      insert: around + around,
      selection: [start + size, start + size],
    }
  const lines = words.split('\n').map(splitLine)
  const written = lines.filter(([, inner]) => inner)
  const isMarked = written.length > 0 && written.every(([, inner]) => isAround(inner, mark))
  const insert = lines
    .map(([lead, inner, trail]) => {
      if (!inner) return lead + trail
      return lead + (isMarked ? inner.slice(size, -size) : around + inner + around) + trail
    })
    .join('\n')
  if (lines.length > 1 || isMarked)
    return { from: start, to: end, insert, selection: [start, start + insert.length] }
  const [lead, inner] = splitLine(words)
  const from = start + lead.length + size
  return { from: start, to: end, insert, selection: [from, from + inner.length] }
}

const isOpenBefore = (text: string, at: number, around: string): boolean =>
  text.slice(text.lastIndexOf('\n', at - 1) + 1, at).split(around).length % 2 === 0

const hasMark = (asterisks: number, mark: 'strong' | 'em'): boolean =>
  mark === 'strong' ? asterisks >= 2 : asterisks % 2 === 1

const isAround = (words: string, mark: 'strong' | 'em'): boolean => {
  const before = nbBefore(words, NO_ASTERISK)
  const after = nbAfter(words, NO_ASTERISK)
  return words.length > before + after && hasMark(Math.min(before, after), mark)
}

const wordAt = (text: string, at: number): [number, number] => {
  const before = nbAfter(text.slice(0, at), NO_WORD)
  const after = nbBefore(text.slice(at), NO_WORD)
  return before > 0 && after > 0 ? [at - before, at + after] : [at, at]
}

const ADDRESS_START = 'https://'

/**
 * Returns the edit that makes a link. A selected address becomes its address, any other selection its text; the
 * missing part is selected.
 */
const linkText = (text: string, start: number, end: number): TextEdit => {
  const selected = text.slice(start, end).trim()
  const isAddress = /^(?:https?:\/\/|mailto:|tel:)\S+$/.test(selected)
  const hasWords = selected !== '' && !isAddress
  const words = hasWords ? selected.replace(/\s+/g, ' ') : 'texte'
  const address = isAddress ? selected : ADDRESS_START
  const at = start + (hasWords ? words.length + 3 : 1)
  return {
    from: start,
    to: end,
    insert: `[${words}](${address})`,
    selection: [at, at + (hasWords ? address : words).length],
  }
}

const listText = (text: string, start: number, end: number): TextEdit => {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', Math.max(start, end))
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const written = lines.filter((line) => line.trim())
  const isList = written.length > 0 && written.every((line) => /^\s*-\s/.test(line))
  const insert = lines
    .map((line) => {
      if (isList) return line.replace(/^(\s*)-\s+/, '$1')
      return line.trim() || lines.length === 1 ? `- ${line}` : line
    })
    .join('\n')
  const isOne = lines.length === 1
  const at = Math.max(from, end + insert.length - (to - from))
  return { from, to, insert, selection: isOne ? [at, at] : [from, from + insert.length] }
}
