import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { ErrorBody } from '#contract/api.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'

/** Words of messages that were not written for French readers. */
const ENGLISH = /\b(?:invalid|expected|must|should|required|unexpected|failed|error|too|string)\b/i
/** Traces of the program that a visitor must not read. */
const INTERNALS = /\bat \/|node_modules|select |insert |kysely|postgres/i
const SENTENCE = /^(?:Champ « [^»]+ » : )?[\p{Lu}\d«].*\p{L}{3}/su

/** Fails unless a text is a French sentence for people. */
export const assertFrench = (sentence: unknown, what: string): void => {
  assert.equal(typeof sentence, 'string', `${what}: no sentence`)
  const { reason } = readFieldMessage(String(sentence))
  // A quoted text is that of the creator.
  const words = reason.replaceAll(/« [^»]*»/g, '')
  assert.match(String(sentence), SENTENCE, what)
  assert.doesNotMatch(words, ENGLISH, `${what}: ${sentence}`)
  assert.doesNotMatch(words, INTERNALS, `${what}: ${sentence}`)
}

/** Fails if an answer is an error of the server, or a refusal without French sentences. Returns the refusal. */
export const readRefusal = (
  { statusCode, body }: LightMyRequestResponse,
  what: string,
): ErrorBody | undefined => {
  assert.ok(statusCode < 500, `${what}: ${statusCode} ${body.slice(0, 300)}`)
  if (statusCode < 400) return undefined
  const refusal = JSON.parse(body) as ErrorBody
  assert.match(refusal.code, /^[a-z_]+$/, what)
  for (const sentence of [refusal.error, ...(refusal.validation_errors ?? [])])
    assertFrench(sentence, what)
  return refusal
}
