import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LARGEST_BODY } from '#contract/endpoint.ts'
import { invalid, notJson, unreadable } from './errors.ts'

/** No body of the contract nests deeper; reading a deeper one recursively could exhaust the stack. */
const DEEPEST = 16
/** Keys in one object of a body; the largest record of the contract has one for each of 500 questions. */
const MAX_KEYS = 1_000
/** Values in a body, and in the body of a call that saves a whole quiz. The largest quiz has 60,000. */
const MAX_VALUES = 20_000
const MAX_SAVED_VALUES = 100_000

const BRACKET = { opens: 0x5b, closes: 0x5d }
const BRACE = { opens: 0x7b, closes: 0x7d }
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

type Shape = { is_too_deep: boolean; nb_values: number; nb_keys: number; has_escapes: boolean }

/**
 * Counts the values of a JSON text and the keys of its largest object, and says whether brackets nest too deep. Reads
 * raw bytes, before anything recursive reads them; a duplicate key counts again.
 */
export const shapeOf = (bytes: Uint8Array): Shape => {
  let nb_values = 1
  let has_escapes = false
  let depth = 0
  let isInText = false
  let nb_keys = 0
  /** Members of the open brackets, the outermost first; those of a list are not counted (0). */
  const members = new Int32Array(DEEPEST + 1)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) isInText = !isInText
    else if (isInText) {
      if (byte !== BACKSLASH) continue
      has_escapes = true
      index++
    } else if (byte === COMMA) {
      nb_values++
      const count = members[depth] ?? 0
      if (count > 0) {
        members[depth] = count + 1
        if (count >= nb_keys) nb_keys = count + 1
      }
    } else if (byte === BRACE.opens || byte === BRACKET.opens) {
      nb_values++
      if (++depth > DEEPEST) return { is_too_deep: true, nb_values, nb_keys, has_escapes }
      members[depth] = byte === BRACE.opens ? 1 : 0
    } else if (byte === BRACE.closes || byte === BRACKET.closes) depth--
  }
  return { is_too_deep: false, nb_values, nb_keys, has_escapes }
}

/** Keys that change an object's prototype when it is copied. */
export const MAGIC_KEYS = ['__proto__', 'constructor', 'prototype']

/** Throws for a magic key (400), and for text that PostgreSQL cannot keep (422), wherever they are. */
const refuseUnkeepable = (value: unknown, path: string): void => {
  if (typeof value === 'string') refuseText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (MAGIC_KEYS.includes(key)) throw unreadable()
    refuseText(key, path)
    refuseUnkeepable(member, path ? `${path}.${key}` : key)
  }
}
const refuseText = (text: string, path: string): void => {
  if (!text.isWellFormed() || text.includes('\0'))
    throw invalid('Le texte contient un caractère interdit', path || undefined)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const readJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw unreadable()
  }
}

/**
 * Returns the JSON value of a body; an empty body is no body. Checks in this order: depth, values and keys, UTF-8,
 * JSON, names and text that nothing may hold. Throws `unreadable()` (400) and `invalid()` (422).
 */
export const parseBody = (bytes: Buffer, max_values = MAX_VALUES): unknown => {
  if (bytes.length === 0) return undefined
  const { is_too_deep, nb_values, nb_keys, has_escapes } = shapeOf(bytes)
  if (is_too_deep || nb_values > max_values || nb_keys > MAX_KEYS) throw unreadable()
  const value = readJson(bytes)
  // Without an escape, text that UTF-8 can hold is text that the database can keep.
  if (has_escapes || MAGIC_KEYS.some((key) => bytes.includes(key))) refuseUnkeepable(value, '')
  return value
}

const UTF_8 = /^"?utf-?8"?$/i
/** JSON is UTF-8: another charset would be read as something that it is not. */
const isUtf8 = (content_type = ''): boolean => {
  const charset = /;\s*charset=([^;]*)/i.exec(content_type)?.[1]
  return charset === undefined || UTF_8.test(charset.trim())
}

/**
 * JSON is the only kind of body; every other content type is refused (415). A compressed body is refused
 * on every route before it is read, as its decompressed size is unknown.
 */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const encoding = headers['content-encoding']
    done(encoding === undefined || encoding === 'identity' ? undefined : notJson())
  })
  const parse = async ({ headers, routeOptions }: FastifyRequest, bytes: Buffer) => {
    if (!isUtf8(headers['content-type'])) throw notJson()
    const isWholeQuiz = routeOptions.bodyLimit > LARGEST_BODY
    return parseBody(bytes, isWholeQuiz ? MAX_SAVED_VALUES : MAX_VALUES)
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
}
