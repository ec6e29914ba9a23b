import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LARGEST_BODY } from '#contract/kit/endpoint.ts'
import { MAX_IMAGE_FILE_BYTES } from '#domain/questionnaire/images.ts'
import { MAX_QUIZ_FILE_BYTES } from '#domain/quiz-files/quiz-file.ts'
import { type ApiError, invalid, tooSlow, unreadable, unsupportedMediaType } from './errors.ts'

/** Least speed of a picture or a file in bytes a second: the largest picture takes five minutes and a half. */
const MIN_UPLOAD_BYTES_S = 32_768
const LARGEST_UPLOAD = Math.max(MAX_IMAGE_FILE_BYTES, MAX_QUIZ_FILE_BYTES)

/** Most bytes of a body that are received and dropped after its request was answered, and the longest time for it. */
type DropLimit = { max_bytes: number; max_ms: number }
const DROPPED_OF_STRANGERS: DropLimit = { max_bytes: LARGEST_BODY, max_ms: 5_000 }
/** Limit that lets a creator read why a file is too large. */
const DROPPED_OF_CREATORS: DropLimit = { max_bytes: 2 * LARGEST_UPLOAD, max_ms: 60_000 }
/** Interval in which dropped bytes are counted, because node:http drops them without an event. */
const DROP_CHECK_MS = 20

/** Returns what node:http may allow any request in ms, so that the slowest upload has its time. */
export const maxRequestMs = (request_ms: number): number =>
  request_ms + (LARGEST_UPLOAD / MIN_UPLOAD_BYTES_S) * 1_000

/** True for a request that has a body, empty or not yet received. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** True once the whole body was received. A call made in this process says nothing of it and is complete. */
export const isBodyComplete = ({ raw }: FastifyRequest): boolean => raw.complete !== false

/** Answers on a connection in the middle of a request and closes it. */
export type RefuseOnSocket = (socket: Duplex, refusal: ApiError) => void

/**
 * Closes a connection whose request was answered before its body was received, once a limit of bytes or time is met.
 * Closing at once would reset the connection before some clients have read the answer.
 */
const dropRest = ({ raw, creator }: FastifyRequest): void => {
  const { max_bytes, max_ms } = creator ? DROPPED_OF_CREATORS : DROPPED_OF_STRANGERS
  const { socket } = raw
  const begun = socket.bytesRead
  const ends_at = performance.now() + max_ms
  const look = (): void => {
    if (raw.complete || socket.destroyed) return
    const isOver = socket.bytesRead - begun > max_bytes || performance.now() > ends_at
    if (isOver) socket.destroy()
    else setTimeout(look, DROP_CHECK_MS).unref()
  }
  look()
}

/**
 * Cuts off requests whose body does not arrive (408): after `request_ms`, which an upload gets again each time that
 * enough bytes came meanwhile. node:http has one limit for a whole request at any speed.
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
    const look = (): void => {
      if (isBodyComplete(request) || socket.destroyed) return
      const came = socket.bytesRead - seen
      seen += came
      if (came < least) cutOff(socket, tooSlow())
      else request.arrival_timer = setTimeout(look, request_ms).unref()
    }
    request.arrival_timer = setTimeout(look, request_ms).unref()
    done()
  })
  // Listening to each body for its end would cost more than this hook; a call may be answered before that.
  app.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(request.arrival_timer)
    if (!isBodyComplete(request)) dropRest(request)
    done()
  })
}

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
export const measureJson = (bytes: Uint8Array): Shape => {
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
export const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype']

/** Throws for a magic key (400), and for text that PostgreSQL cannot keep (422), wherever they are. */
const refuseUnkeepable = (value: unknown, path: string): void => {
  if (typeof value === 'string') refuseText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (PROTOTYPE_KEYS.includes(key)) throw unreadable()
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
  const { is_too_deep, nb_values, nb_keys, has_escapes } = measureJson(bytes)
  if (is_too_deep || nb_values > max_values || nb_keys > MAX_KEYS) throw unreadable()
  const value = readJson(bytes)
  // Without an escape, text that UTF-8 can hold is text that the database can keep.
  if (has_escapes || PROTOTYPE_KEYS.some((key) => bytes.includes(key))) refuseUnkeepable(value, '')
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
    done(encoding === undefined || encoding === 'identity' ? undefined : unsupportedMediaType())
  })
  const parse = async ({ headers, routeOptions }: FastifyRequest, bytes: Buffer) => {
    if (!isUtf8(headers['content-type'])) throw unsupportedMediaType()
    const isWholeQuiz = routeOptions.bodyLimit > LARGEST_BODY
    return parseBody(bytes, isWholeQuiz ? MAX_SAVED_VALUES : MAX_VALUES)
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
}
