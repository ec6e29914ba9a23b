import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_CALL_BODY_BYTES } from '#contract/kit/endpoint.ts'
import { MAX_IMAGE_FILE_BYTES } from '#domain/questionnaire/images.ts'
import { MAX_QUIZ_FILE_BYTES } from '#domain/quiz-files/quiz-file.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { type ApiError, invalid, tooSlow, unreadable, unsupportedMediaType } from './errors.ts'

/** Minimum speed of an upload in bytes per second; the largest picture takes five and a half minutes. */
const MIN_UPLOAD_BYTES_S = 32_768
const MAX_UPLOAD_BYTES = Math.max(MAX_IMAGE_FILE_BYTES, MAX_QUIZ_FILE_BYTES)

/** Limits for the rest of a body that arrives after its request was answered. */
type DropLimit = { max_bytes: number; max_ms: number }
const STRANGER_DROP_LIMIT: DropLimit = { max_bytes: MAX_CALL_BODY_BYTES, max_ms: 5_000 }
/** Larger limit for creators, so that they can read why a file is too large. */
const CREATOR_DROP_LIMIT: DropLimit = { max_bytes: 2 * MAX_UPLOAD_BYTES, max_ms: 60_000 }
/** Interval at which dropped bytes are counted, because node:http emits no event for them. */
const DROP_CHECK_MS = 20

/** Returns the time in ms that node:http allows for a request, so that the slowest upload fits in. */
export const maxRequestMs = (request_ms: number): number =>
  request_ms + (MAX_UPLOAD_BYTES / MIN_UPLOAD_BYTES_S) * 1_000

/** Returns true for a request that has a body, empty or not yet received. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Returns true once the whole body was received. Injected requests, which have no connection, count as complete. */
export const isBodyComplete = ({ raw }: FastifyRequest): boolean => raw.complete !== false

/** Answers in the middle of a request and closes the connection. */
export type RefuseOnSocket = (socket: Duplex, refusal: ApiError) => void

/**
 * Drops the rest of an answered request's body and closes the connection when a limit is reached. Closing at once
 * would reset the connection before some clients have read the response.
 */
const dropRest = ({ raw, creator }: FastifyRequest): void => {
  const { max_bytes, max_ms } = creator ? CREATOR_DROP_LIMIT : STRANGER_DROP_LIMIT
  const { socket } = raw
  const bytes_before = socket.bytesRead
  const ends_at = performance.now() + max_ms
  const check = (): void => {
    if (raw.complete || socket.destroyed) return
    const isOver = socket.bytesRead - bytes_before > max_bytes || performance.now() > ends_at
    if (isOver) socket.destroy()
    else setTimeout(check, DROP_CHECK_MS).unref()
  }
  check()
}

/**
 * Closes requests whose body does not arrive within `request_ms` (408). An upload gets this time again whenever
 * enough bytes have arrived, because node:http has only one limit for a whole request.
 */
export const enforceUploadTimeout = (
  app: FastifyInstance,
  { request_ms, cutOff }: { request_ms: number; cutOff: RefuseOnSocket },
): void => {
  app.decorateRequest('arrival_timer')
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasBody(request)) return done()
    const { raw, routeOptions } = request
    const { socket } = raw
    const least = routeOptions.config.takes_time
      ? (MIN_UPLOAD_BYTES_S * request_ms) / 1_000
      : Number.POSITIVE_INFINITY
    let seen = socket.bytesRead
    const checkProgress = (): void => {
      if (isBodyComplete(request) || socket.destroyed) return
      const nb_received = socket.bytesRead - seen
      seen += nb_received
      if (nb_received < least) cutOff(socket, tooSlow())
      else request.arrival_timer = setTimeout(checkProgress, request_ms).unref()
    }
    request.arrival_timer = setTimeout(checkProgress, request_ms).unref()
    done()
  })
  // Listening for the end of each body would cost more than this hook. A call may be answered before its body ends.
  app.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(request.arrival_timer)
    if (!isBodyComplete(request)) dropRest(request)
    done()
  })
}

/** Maximum nesting of a body; reading a deeper one recursively could exhaust the stack. */
const MAX_DEPTH = 16
/** Maximum number of keys in one object; the largest record of the contract has one for each of 500 questions. */
const MAX_KEYS = 1_000
/** Maximum numbers of values: in an ordinary body, and in one that saves a whole quiz (the largest has 60,000). */
const MAX_VALUES = 20_000
const MAX_SAVED_VALUES = 100_000

const BRACKET = { opens: 0x5b, closes: 0x5d }
const BRACE = { opens: 0x7b, closes: 0x7d }
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

type Shape = { is_too_deep: boolean; nb_values: number; nb_keys: number; has_escapes: boolean }

/** Returns the index of the closing quote of the text that begins at `start`; the end of the bytes if there is none. */
const endOfText = (bytes: Uint8Array, start: number): number => {
  let quote = bytes.indexOf(QUOTE, start + 1)
  for (; quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let nb_escapes = 0
    while (bytes[quote - 1 - nb_escapes] === BACKSLASH) nb_escapes++
    if (nb_escapes % 2 === 0) return quote
  }
  return bytes.length
}

/**
 * Measures a JSON text before it is parsed: values, keys of its largest object, nesting too deep, and escapes. A
 * duplicate key counts again.
 */
export const measureJson = (bytes: Uint8Array): Shape => {
  let nb_values = 1
  const has_escapes = bytes.includes(BACKSLASH)
  let depth = 0
  let nb_keys = 0
  /** Members of each open object, the outermost first; 0 for an array. */
  const members = new Int32Array(MAX_DEPTH + 1)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === QUOTE) index = endOfText(bytes, index)
    else if (byte === COMMA) {
      nb_values++
      const count = members[depth] ?? 0
      if (count > 0) {
        members[depth] = count + 1
        if (count >= nb_keys) nb_keys = count + 1
      }
    } else if (byte === BRACE.opens || byte === BRACKET.opens) {
      nb_values++
      if (++depth > MAX_DEPTH) return { is_too_deep: true, nb_values, nb_keys, has_escapes }
      members[depth] = byte === BRACE.opens ? 1 : 0
    } else if (byte === BRACE.closes || byte === BRACKET.closes) depth--
  }
  return { is_too_deep: false, nb_values, nb_keys, has_escapes }
}

/** Keys that can change the prototype of an object when it is copied. */
export const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype']

/** Throws 400 for a key that can change a prototype, and 422 for text that PostgreSQL cannot store, at any depth. */
const refuseUnstorable = (value: unknown, path: string): void => {
  if (typeof value === 'string') refuseText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (PROTOTYPE_KEYS.includes(key)) throw unreadable()
    refuseText(key, path)
    refuseUnstorable(member, path ? `${path}.${key}` : key)
  }
}
const refuseText = (text: string, path: string): void => {
  if (!text.isWellFormed() || text.includes('\0'))
    throw invalid('Le texte contient un caractère interdit', path || undefined)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const NOT_UTF8 = 'La requête est illisible : elle n’est pas encodée en UTF-8'

/** Decodes a body. JSON has no NUL, which every letter of ASCII has in UTF-16. */
const decodeUtf8 = (bytes: Buffer): string => {
  if (bytes.includes(0)) throw unreadable(NOT_UTF8)
  try {
    return utf8.decode(bytes)
  } catch {
    throw unreadable(NOT_UTF8)
  }
}

const readJson = (bytes: Buffer): unknown => {
  const text = decodeUtf8(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable()
  }
}

/**
 * Returns the value of a JSON body; undefined for an empty one. Throws 400 (`unreadable()`) or 422 (`invalid()`). Its
 * size is checked before it is parsed, because parsing large structures is expensive. Yields to the event loop between
 * the steps.
 */
export const parseBody = async (bytes: Buffer, max_values = MAX_VALUES): Promise<unknown> => {
  if (bytes.length === 0) return undefined
  const pause = yieldToEventLoop()
  const { is_too_deep, nb_values, nb_keys, has_escapes } = measureJson(bytes)
  if (is_too_deep || nb_values > max_values || nb_keys > MAX_KEYS) throw unreadable()
  await pause()
  const value = readJson(bytes)
  await pause()
  // Text without escapes is valid UTF-8 here, so only escapes can encode text that PostgreSQL cannot store.
  if (has_escapes || PROTOTYPE_KEYS.some((key) => bytes.includes(key))) refuseUnstorable(value, '')
  return value
}

const UTF_8 = /^"?utf-?8"?$/i
/** Returns true unless the content type names a charset other than UTF-8, which would be decoded wrongly. */
const isUtf8 = (content_type = ''): boolean => {
  const charset = /;\s*charset=([^;]*)/i.exec(content_type)?.[1]
  return charset === undefined || UTF_8.test(charset.trim())
}

/**
 * Accepts JSON bodies only and refuses every other content type (415). Compressed bodies are refused before they are
 * read, because their decompressed size is unknown.
 */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const encoding = headers['content-encoding']
    done(encoding === undefined || encoding === 'identity' ? undefined : unsupportedMediaType())
  })
  const parse = async ({ headers, routeOptions }: FastifyRequest, bytes: Buffer) => {
    if (!isUtf8(headers['content-type'])) throw unsupportedMediaType()
    const isWholeQuiz = routeOptions.bodyLimit > MAX_CALL_BODY_BYTES
    return parseBody(bytes, isWholeQuiz ? MAX_SAVED_VALUES : MAX_VALUES)
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
}
