import { type Inflate, MAX_ROWS, type PeopleRows } from './people-rows.ts'

/** Reads the first sheet of a workbook (.xlsx) as rows of texts, in linear time and with bounded memory. */

/** Maximum size in bytes of a decompressed part of a workbook. */
const MAX_PART_BYTES = 32 * 1_048_576
/** Maximum number of columns that are read. */
const MAX_COLUMNS = 50
/** Maximum length of a cell in characters, that of Excel. */
const MAX_CELL_LENGTH = 32_767

const UNREADABLE: PeopleRows = {
  refusal:
    'Ce classeur n’est pas lu : enregistrez-le de nouveau au format « Classeur Excel (.xlsx) », sans mot de passe, ou en CSV.',
}
const TOO_LARGE: PeopleRows = {
  refusal:
    'Ce classeur est trop grand : gardez les seules colonnes utiles, ou enregistrez-le en CSV.',
}

type Decoder = { decode: (bytes: Uint8Array) => string }
/** Decoder of browsers and Node. The domain is type-checked without their libraries. */
declare const TextDecoder: new (label: string) => Decoder

/** Returns true if a file begins like a ZIP file, as workbooks do. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** Entry of a ZIP file. */
type Entry = { method: number; size: number; compressed_size: number; offset: number }

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
/** Longest comment of a ZIP file, before which its directory is named. */
const MAX_COMMENT = 65_557
const MAX_ENTRIES = 1_000

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Returns the entries of a ZIP file by name; undefined if its directory is broken. */
const readDirectory = (bytes: Uint8Array): Map<string, Entry> | undefined => {
  const view = viewOf(bytes)
  const decoder = new TextDecoder('utf-8')
  const last = bytes.length - 22
  let end = last
  while (end >= 0 && end > last - MAX_COMMENT && view.getUint32(end, true) !== END_OF_DIRECTORY)
    end--
  if (end < 0 || end <= last - MAX_COMMENT) return undefined
  const nb_entries = Math.min(view.getUint16(end + 10, true), MAX_ENTRIES)
  let at = view.getUint32(end + 16, true)
  const entries = new Map<string, Entry>()
  for (let rank = 0; rank < nb_entries; rank++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) return undefined
    const name_length = view.getUint16(at + 28, true)
    const more = view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    const name = decoder.decode(bytes.subarray(at + 46, at + 46 + name_length))
    entries.set(name.replaceAll('\\', '/'), {
      method: view.getUint16(at + 10, true),
      compressed_size: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + name_length + more
  }
  return entries
}

/** Creates a function that returns the text of a part of a workbook: '' if absent, undefined if broken or too large. */
const createPartReader =
  (bytes: Uint8Array, entries: ReadonlyMap<string, Entry>, inflate: Inflate) =>
  async (name: string): Promise<string | undefined> => {
    const entry = entries.get(name)
    if (!entry) return ''
    const { offset, compressed_size, method, size } = entry
    if (offset + 30 > bytes.length || size > MAX_PART_BYTES) return undefined
    const view = viewOf(bytes)
    const start =
      offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    const packed = bytes.subarray(start, start + compressed_size)
    const content = method === 0 ? packed : await inflate(packed, MAX_PART_BYTES)
    return content && new TextDecoder('utf-8').decode(content)
  }

/** Part of an XML text: a tag with its name and attributes, or words. */
type Token = { tag: string; attributes: string } | { words: string }

/** Yields the tags and words of an XML text in order. Comments and declarations are skipped. */
function* tokensOf(xml: string): Generator<Token> {
  let at = 0
  while (at < xml.length) {
    const opens = xml.indexOf('<', at)
    if (opens < 0) return
    if (opens > at) yield { words: xml.slice(at, opens) }
    const isComment = xml.startsWith('<!--', opens)
    const closes = xml.indexOf(isComment ? '-->' : '>', opens)
    if (closes < 0) return
    at = closes + (isComment ? 3 : 1)
    if (isComment) continue
    const content = xml.slice(opens + 1, closes)
    const blank = content.search(/[\s/]/)
    const name_end = blank <= 0 ? content.length : blank
    // Some programs write a prefix before each name, such as `x:row`.
    const tag = content.slice(0, name_end)
    const name = tag.startsWith('/') ? content : tag
    yield { tag: withoutPrefix(name), attributes: content.slice(name_end) }
  }
}

const withoutPrefix = (name: string): string => {
  const slash = name.startsWith('/') ? '/' : ''
  const colon = name.indexOf(':')
  return colon < 0 ? name : slash + name.slice(colon + 1)
}

const attributeOf = (attributes: string, name: string): string | undefined => {
  const start = attributes.indexOf(` ${name}="`)
  if (start < 0) return undefined
  const value = start + name.length + 3
  const end = attributes.indexOf('"', value)
  return end < 0 ? undefined : unescapeXml(attributes.slice(value, end))
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
        (all, ten, sixteen, name) => {
          if (name) return NAMED[String(name).toLowerCase()] ?? all
          const code = ten ? Number(ten) : Number.parseInt(String(sixteen), 16)
          return code <= 0x10ffff ? String.fromCodePoint(code) : ''
        },
      )
    : text

/** Returns a text of a cell, in which a number between underscores may stand for a character (`_x000D_`). */
const cellTextOf = (text: string): string =>
  unescapeXml(text).replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Returns the texts that cells refer to by rank. */
const readSharedStrings = (xml: string): string[] => {
  const strings: string[] = []
  let text = ''
  let isText = false
  // Phonetic signs of Japanese texts are no part of a text.
  let isPhonetic = false
  for (const token of tokensOf(xml)) {
    if ('words' in token) {
      if (isText && !isPhonetic) text += token.words
      continue
    }
    if (token.tag === 'si') text = ''
    else if (token.tag === '/si') strings.push(cellTextOf(text.slice(0, MAX_CELL_LENGTH)))
    else if (token.tag === 't') isText = !token.attributes.endsWith('/')
    else if (token.tag === '/t') isText = false
    else if (token.tag === 'rPh') isPhonetic = true
    else if (token.tag === '/rPh') isPhonetic = false
  }
  return strings
}

const columnOf = (reference: string): number => {
  let column = 0
  for (const letter of reference) {
    const digit = letter.toUpperCase().charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
    if (column > 16_384) break
  }
  return column - 1
}

type Sheet = { rows: string[][]; isTooLarge: boolean }

/** Returns the rows of a sheet; missing rows are blank. */
const readSheet = (xml: string, strings: readonly string[]): Sheet => {
  const rows: string[][] = []
  let row: string[] = []
  let row_number = 0
  let column = -1
  let kind = ''
  let value = ''
  let isValue = false
  for (const token of tokensOf(xml)) {
    if ('words' in token) {
      if (isValue) value += token.words
      continue
    }
    const { tag, attributes } = token
    const isEmpty = attributes.endsWith('/')
    if (tag === 'row') {
      row_number = Number(attributeOf(attributes, 'r') ?? row_number + 1)
      if (!(row_number >= 1 && row_number <= MAX_ROWS))
        return { rows, isTooLarge: rows.length === 0 }
      row = []
      column = -1
      while (rows.length < row_number - 1) rows.push([])
      rows[row_number - 1] = row
    } else if (tag === 'c') {
      const reference = attributeOf(attributes, 'r')
      column = reference === undefined ? column + 1 : columnOf(reference)
      kind = attributeOf(attributes, 't') ?? ''
      value = ''
    } else if (tag === 'v' || tag === 't') isValue = !isEmpty
    else if (tag === '/v' || tag === '/t') isValue = false
    else if (tag === '/c' && column >= 0 && column < MAX_COLUMNS) {
      while (row.length < column) row.push('')
      row[column] =
        kind === 's' ? (strings[Number(value)] ?? '') : cellTextOf(value.slice(0, MAX_CELL_LENGTH))
    } else if (tag === '/sheetData') break
  }
  return { rows, isTooLarge: false }
}

/** Returns the path of the first sheet that the workbook shows. */
const findFirstSheet = (workbook: string, relations: string): string => {
  let id: string | undefined
  for (const token of tokensOf(workbook)) {
    if (!('tag' in token) || token.tag !== 'sheet') continue
    const isHidden = /^(?:hidden|veryHidden)$/.test(attributeOf(token.attributes, 'state') ?? '')
    const found = attributeOf(token.attributes, 'r:id') ?? attributeOf(token.attributes, 'id')
    if (isHidden || found === undefined) continue
    id = found
    break
  }
  for (const token of tokensOf(relations)) {
    if (!('tag' in token) || token.tag !== 'Relationship') continue
    const target = attributeOf(token.attributes, 'Target')
    if (attributeOf(token.attributes, 'Id') !== id || target === undefined) continue
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`
  }
  return 'xl/worksheets/sheet1.xml'
}

/** Returns the rows of the first visible sheet of a workbook, or a French refusal. Never throws. */
export const readXlsxRows = async (bytes: Uint8Array, inflate: Inflate): Promise<PeopleRows> => {
  const entries = readDirectory(bytes)
  if (!entries?.has('xl/workbook.xml')) return UNREADABLE
  const readPart = createPartReader(bytes, entries, inflate)
  const workbook = await readPart('xl/workbook.xml')
  const relations = await readPart('xl/_rels/workbook.xml.rels')
  if (workbook === undefined || relations === undefined) return UNREADABLE
  const sheet = await readPart(findFirstSheet(workbook, relations))
  const strings = await readPart('xl/sharedStrings.xml')
  if (sheet === undefined || strings === undefined) return TOO_LARGE
  const { rows, isTooLarge } = readSheet(sheet, readSharedStrings(strings))
  return isTooLarge ? TOO_LARGE : { rows }
}
