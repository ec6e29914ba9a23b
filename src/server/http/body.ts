import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notJson, unreadable } from './errors.ts'

/** Nothing of the contract nests deeper; what does could exhaust whoever reads it back. */
const DEEPEST = 16

const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** True when brackets nest beyond DEEPEST; read from the raw bytes, before anything recursive does. */
export const isTooDeep = (bytes: Uint8Array): boolean => {
  let depth = 0
  let isInText = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === BACKSLASH && isInText) index++
    else if (byte === QUOTE) isInText = !isInText
    else if (isInText) continue
    else if (OPENING.has(byte) && ++depth > DEEPEST) return true
    else if (CLOSING.has(byte)) depth--
  }
  return false
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The JSON value of a body; an empty body is no body. Throws `unreadable()` (400). */
export const parseBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  if (isTooDeep(bytes)) throw unreadable()
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw unreadable()
  }
}

/** JSON is the only kind of body; every other content type is refused (415), compressed ones too. */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  const parse = async ({ headers }: FastifyRequest, bytes: Buffer) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw notJson()
    return parseBody(bytes)
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
}
