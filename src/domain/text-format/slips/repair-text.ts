import { isBlankText } from '#domain/common/text.ts'
import { foldText, type SourceLine } from '#domain/text-format/lines.ts'
import { partOf, settingKind } from './places.ts'
import { createLineRepairer } from './repair-lines.ts'
import { boldOf, MAX_REPAIRED_LENGTH, settingOf } from './repair-words.ts'

/** Repaired text. The lines keep the numbers that they have in the written text. */
export type RepairedText = { lines: SourceLine[]; ignored_lines: number[] }

const FENCE = /^\s*(?:```|~~~)/
const NAME = /^\s*\\?# \s*\S/
const RULE = /^([-*_=])\1{2,}$/

/** Characters without width, which assistants and web pages put at the beginning of lines. */
const ZERO_WIDTH = /^[\u200b-\u200f\u2060\ufeff\u00ad\s]+/u

/**
 * Repairs typical slips of assistants line by line: code fences, sentences around the text, emphasis, numbered lists,
 * escaped signs (docs/text-format.md). A line that fits no rule stays unchanged, so that the parser reports the line.
 */
export function* repairSteps(source: readonly SourceLine[]): Generator<undefined, RepairedText> {
  const ignored_lines: number[] = []
  const kept = keepFenced(source, ignored_lines).map((line) => ({
    ...line,
    written: bareLine(line.written),
  }))
  yield
  const shifted = shiftHeadings(withName(kept))
  yield
  const inner = ignoreClosing(ignoreOpening(shifted, ignored_lines), ignored_lines)
  yield
  const repairer = createLineRepairer(inner)
  for (const [index] of inner.entries()) {
    repairer.take(index)
    yield
  }
  return { lines: repairer.finish(), ignored_lines: ignored_lines.sort((a, b) => a - b) }
}

const blank = (line: SourceLine): SourceLine => ({ ...line, written: '' })

/** Removes the marks of code fences, and the lines outside the fences if the name is inside a fence. */
const keepFenced = (source: readonly SourceLine[], ignored: number[]): SourceLine[] => {
  let isInside = false
  const marked = source.map((line) => {
    const isFence = FENCE.test(line.written)
    if (isFence) isInside = !isInside
    return { line, isFence, isInside: isInside && !isFence }
  })
  const isNameInside = marked.some((mark) => mark.isInside && NAME.test(mark.line.written))
  return marked.map(({ line, isFence, isInside: isKept }) => {
    if (isFence) return blank(line)
    if (!isNameInside || isKept || isBlankText(line.written)) return line
    ignored.push(line.line)
    return blank(line)
  })
}

/** Spaces that French typography puts before « : » and « ? », and that tools put anywhere. */
const WIDE_SPACES = /[\u00a0\u2007\u2009\u202f]/g

/** Returns a line without outer spaces, and without zero-width characters, code marks and escapes at its beginning. */
const bareLine = (written: string): string => {
  if (written.length > MAX_REPAIRED_LENGTH) return written
  const start = written.replaceAll(WIDE_SPACES, ' ').replace(ZERO_WIDTH, '').trimEnd()
  if (start.startsWith('>')) return start
  const bare = /^`[^`]+`$/.test(start) ? start.slice(1, -1) : start
  if (RULE.test(bare)) return ''
  return bare.replace(/^\\(?=[#>*•+-])/, '').replace(/^(\d{1,3})\\(?=[.)])/, '$1')
}

/** Makes the first title the name of the questionnaire if no line begins with a single « # ». */
const withName = (lines: readonly SourceLine[]): SourceLine[] => {
  if (lines.some(({ written }) => NAME.test(written))) return [...lines]
  const first = lines.findIndex(({ written }) => titleOf(written) !== undefined)
  return lines.map((line, index) =>
    index === first ? { ...line, written: `# ${titleOf(line.written)}` } : line,
  )
}

const TITLE_KEY = /^(?:titre|nom|nom du quiz|nom du sondage|questionnaire|quiz|sondage)$/

/** Returns the name in a bold line or in « Titre : … »; undefined for other lines. */
const titleOf = (written: string): string | undefined => {
  if (written.length > MAX_REPAIRED_LENGTH) return undefined
  const bold = boldOf(written)
  const isPart =
    bold !== undefined && (partOf(bold) !== undefined || settingOf(written) !== undefined)
  if (bold !== undefined && !isPart) return bold
  const setting = settingOf(written)
  return setting && TITLE_KEY.test(foldText(setting.key)) ? setting.value : undefined
}

/** Lowers all headings by one level if sections such as « # Résultats » have the level of the name. */
const shiftHeadings = (lines: readonly SourceLine[]): SourceLine[] => {
  const name = lines.findIndex(({ written }) => NAME.test(written))
  const isHigh = ({ written }: SourceLine, index: number): boolean =>
    index !== name && /^# /.test(written) && partOf(written.slice(2)) !== undefined
  if (name < 0 || !lines.some(isHigh)) return [...lines]
  return lines.map((line, index) =>
    index !== name && /^##? /.test(line.written) ? { ...line, written: `#${line.written}` } : line,
  )
}

/** Returns true if a line is a sentence and no heading, quote, list item or setting. */
const isSentence = (written: string): boolean => {
  if (/^\s*(?:[#>]|!\[|[-*•+]\s)/.test(written)) return false
  const setting = written.length > MAX_REPAIRED_LENGTH ? undefined : settingOf(written)
  return setting === undefined || settingKind('head', setting.key) === undefined
}

/** Removes the sentences before the name. */
const ignoreOpening = (lines: readonly SourceLine[], ignored: number[]): SourceLine[] => {
  const name = lines.findIndex(({ written }) => NAME.test(written))
  return lines.map((line, index) => {
    if (index >= name || isBlankText(line.written) || !isSentence(line.written)) return line
    ignored.push(line.line)
    return blank(line)
  })
}

const CLOSING =
  /^(?:voil[àa]|n['’]h[ée]site|souhait|voulez|dites[- ]moi|dis[- ]moi|je (?:peux|reste)|si vous (?:souhaitez|voulez|avez)|ce (?:texte|quiz|sondage)|bonne? )/i

/** Removes the last paragraph if the paragraph speaks to the creator, such as « N’hésitez pas à… ». */
const ignoreClosing = (lines: readonly SourceLine[], ignored: number[]): SourceLine[] => {
  const end = lines.findLastIndex(({ written }) => !isBlankText(written))
  const before = lines.findLastIndex(({ written }, index) => index < end && isBlankText(written))
  const last = lines.slice(before + 1, end + 1)
  const isClosing =
    before >= 0 &&
    CLOSING.test(last[0]?.written ?? '') &&
    last.every(({ written }) => isSentence(written))
  if (!isClosing) return [...lines]
  ignored.push(...last.map(({ line }) => line))
  return lines.slice(0, before + 1)
}
