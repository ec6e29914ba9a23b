import { inflateSync } from 'node:zlib'

/** Parser for PDFs of pdfkit, which have plain indirect objects, and streams that are deflated or plain. */

/** Reference to an indirect object. */
type Ref = { ref: number }
/** Name such as /Type, without its slash. */
type Name = { name: string }
/** Dictionary, whose keys have no slash. */
export type Dict = Map<string, PdfValue>
/** Stream with its dictionary and its decoded bytes. */
type Stream = { dict: Dict; data: Buffer }
/** Operator of a content stream. */
type Operator = { operator: string }
/** Value of a PDF. A string is a buffer of its bytes. */
export type PdfValue =
  | number
  | boolean
  | null
  | Buffer
  | Ref
  | Name
  | Operator
  | PdfValue[]
  | Dict
  | Stream

const SPACE = /[\0\t\n\f\r ]/
const DELIMITER = /[()<>[\]{}/%]/
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Parser for PDF values. The text has one character for each byte. */
export class PdfReader {
  readonly #text: string
  at: number

  constructor(text: string, at = 0) {
    this.#text = text
    this.at = at
  }

  /** Returns the next value; undefined at the end of the text or of a list. */
  next(): PdfValue | undefined {
    this.#skipSpace()
    const text = this.#text
    const first = text[this.at]
    if (first === undefined) return undefined
    if (first === '/') return { name: this.#word(++this.at) }
    if (first === '(') return this.#string()
    if (text.startsWith('<<', this.at)) return this.#dict()
    if (first === '<') return this.#hex()
    if (first === '[') {
      this.at++
      return this.#list(']')
    }
    if (first === ']' || first === '>') return undefined
    return this.#numberOrWord()
  }

  #skipSpace(): void {
    while (SPACE.test(this.#text[this.at] ?? '')) this.at++
  }

  #word(from: number): string {
    let to = from
    while (to < this.#text.length && !isEndOfWord(this.#text[to] ?? '')) to++
    this.at = to
    return this.#text.slice(from, to).replaceAll(/#([\da-f]{2})/gi, (_, hex) => fromHex(hex))
  }

  #numberOrWord(): PdfValue {
    const text = this.#text
    const reference = /^(\d+) (\d+) R(?![A-Za-z])/.exec(text.slice(this.at, this.at + 24))
    if (reference) {
      this.at += reference[0].length
      return { ref: Number(reference[1]) }
    }
    const word = this.#word(this.at)
    if (word === '') throw new Error(`Unexpected ${text[this.at]} at ${this.at}`)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return /^[-+.\d]/.test(word) ? Number(word) : { operator: word }
  }

  #list(end: string): PdfValue[] {
    const values: PdfValue[] = []
    for (let value = this.next(); value !== undefined; value = this.next()) values.push(value)
    if (!this.#text.startsWith(end, this.at)) throw new Error(`No ${end} at ${this.at}`)
    this.at += end.length
    return values
  }

  #dict(): Dict {
    this.at += 2
    const values = this.#list('>>')
    const dict: Dict = new Map()
    for (let index = 0; index + 1 < values.length; index += 2) {
      const [key, value] = [values[index], values[index + 1]]
      if (isName(key) && value !== undefined) dict.set(key.name, value)
    }
    return dict
  }

  #hex(): Buffer {
    const end = this.#text.indexOf('>', this.at)
    const digits = this.#text.slice(this.at + 1, end).replaceAll(/\s/g, '')
    this.at = end + 1
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
  }

  #string(): Buffer {
    let [bytes, depth] = ['', 1]
    for (this.at++; depth > 0; this.at++) {
      const character = this.#text[this.at]
      if (character === undefined) throw new Error('A string has no end')
      if (character === '\\') bytes += this.#escape()
      else {
        if (character === '(') depth++
        if (character === ')') depth--
        if (depth > 0) bytes += character
      }
    }
    return Buffer.from(bytes, 'latin1')
  }

  #escape(): string {
    const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.at + 1, this.at + 4))?.[0]
    this.at += octal?.length ?? 1
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8))
    const escaped = this.#text[this.at] ?? ''
    return ESCAPES[escaped] ?? escaped
  }
}

const isEndOfWord = (character: string): boolean =>
  SPACE.test(character) || DELIMITER.test(character)
const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

/** Returns true for a name. */
export const isName = (value: unknown): value is Name =>
  typeof value === 'object' && value !== null && 'name' in value
const isRef = (value: unknown): value is Ref =>
  typeof value === 'object' && value !== null && 'ref' in value
/** Returns true for an operator of a content stream. */
export const isOperator = (value: unknown): value is Operator =>
  typeof value === 'object' && value !== null && 'operator' in value

/** Objects of a PDF by number, with the catalog. */
export class PdfObjects {
  readonly #objects = new Map<number, PdfValue>()
  readonly trailer: Dict

  constructor(pdf: Buffer) {
    const text = pdf.toString('latin1')
    for (const [start, number] of offsetsOf(text)) {
      const reader = new PdfReader(text, text.indexOf('obj', start) + 'obj'.length)
      const value = reader.next() ?? null
      this.#objects.set(number, streamOf(text, value, reader.at) ?? value)
    }
    this.trailer = toDict(new PdfReader(text, text.lastIndexOf('trailer') + 7).next())
  }

  /** Returns a value; follows a reference to its object. */
  get(value: PdfValue | undefined): PdfValue | undefined {
    return isRef(value) ? this.#objects.get(value.ref) : value
  }

  /** Returns a dictionary, also that of a stream; empty for another value. */
  dict(value: PdfValue | undefined): Dict {
    const found = this.get(value)
    return toDict(isStream(found) ? found.dict : found)
  }

  /** Returns the entries of a list; a single value is its own list. */
  list(value: PdfValue | undefined): PdfValue[] {
    const found = this.get(value)
    if (Array.isArray(found)) return found
    return value === undefined || found === null || found === undefined ? [] : [value]
  }

  /** Returns the decoded bytes of a stream as text; '' without a stream. */
  bytes(value: PdfValue | undefined): Buffer {
    const found = this.get(value)
    return isStream(found) ? found.data : Buffer.alloc(0)
  }

  /** Returns the text of a name. */
  name(value: PdfValue | undefined): string {
    const found = this.get(value)
    return isName(found) ? found.name : ''
  }

  /** Returns the words of a string; '' for another value. */
  text(value: PdfValue | undefined): string {
    const found = this.get(value)
    if (!Buffer.isBuffer(found)) return ''
    const isWide = found[0] === 0xfe && found[1] === 0xff
    return isWide ? Buffer.from(found.subarray(2)).swap16().toString('utf16le') : `${found}`
  }

  /** Returns the dictionaries of all objects. */
  dictionaries(): Dict[] {
    return [...this.#objects.values()].map((value) => this.dict(value))
  }

  /** Returns all dictionaries whose /Type is `type`. */
  ofType(type: string): Dict[] {
    return this.dictionaries().filter((dict) => this.name(dict.get('Type')) === type)
  }
}

const toDict = (value: PdfValue | undefined): Dict => (value instanceof Map ? value : new Map())
const isStream = (value: PdfValue | undefined): value is Stream =>
  typeof value === 'object' && value !== null && 'data' in value

/** Returns the offset and the number of each object, from the table at the end of the file. */
const offsetsOf = (text: string): [offset: number, number: number][] => {
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1])
  const [, first = '', count = '', rows = ''] =
    /^xref\s+(\d+) (\d+)\s+([\s\S]*?)trailer/.exec(text.slice(start)) ?? []
  const entries = rows.match(/\d{10} \d{5} [nf]/g) ?? []
  if (entries.length !== Number(count)) throw new Error('The table of the objects is incomplete')
  return entries.flatMap((entry, index): [number, number][] =>
    entry.endsWith('n') ? [[Number(entry.slice(0, 10)), Number(first) + index]] : [],
  )
}

const streamOf = (text: string, dict: PdfValue, at: number): Stream | undefined => {
  const [start] = /^\s*stream\r?\n/.exec(text.slice(at, at + 20)) ?? []
  if (!start || !(dict instanceof Map)) return undefined
  const length = dict.get('Length')
  if (typeof length !== 'number') throw new Error('The length of a stream is not a number')
  const from = at + start.length
  const bytes = Buffer.from(text.slice(from, from + length), 'latin1')
  const filter = dict.get('Filter')
  const isDeflated = isName(filter) && filter.name === 'FlateDecode'
  return { dict, data: isDeflated ? inflateSync(bytes) : bytes }
}
