import { isAscii, isUtf8 } from 'node:buffer'
import type { api } from '#contract/api.ts'
import type { Validated } from '#contract/endpoint.ts'
import { LARGEST_INTEGER } from '#contract/taking.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { isLowerUuid } from '#server/uuid.ts'

export type Submitted = Validated<typeof api.taking.submit>['body']
type Check = (value: unknown) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length <= most
const isWhole = (value: unknown, least: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= LARGEST_INTEGER

const isReplies: Check = (value) => {
  if (!isObject(value)) return false
  for (const id in value) {
    if (!isLowerUuid(id) || !isText(value[id], LIMITS.typed_answer)) return false
  }
  return true
}

/** What is plainly right of each field of the contract. */
const CHECKS: Record<keyof Submitted, Check> = {
  answers: isReplies,
  email: (value) => value === null || isText(value, LIMITS.email),
  participant_uuid: (value) => typeof value === 'string' && isLowerUuid(value),
  version: (value) => value === null || isWhole(value, 1),
  consent_version: (value) => value === null || isWhole(value, 0),
  elapsed_seconds: (value) => value === null || isWhole(value, 0),
  is_trapped: (value) => typeof value === 'boolean',
}

const isPlain = (value: unknown): value is Submitted => {
  if (!isObject(value) || !Object.hasOwn(value, 'answers')) return false
  for (const field in value) {
    if (!Object.hasOwn(CHECKS, field) || !CHECKS[field as keyof Submitted](value[field]))
      return false
  }
  return true
}

const [BRACE, BRACKET, BACKSLASH] = [0x7b, 0x5b, 0x5c]

/** Whether more than an object in an object could be there, even under a name that is said twice. */
const mayNest = (bytes: Buffer): boolean => {
  const inner = bytes.indexOf(BRACE, bytes.indexOf(BRACE) + 1)
  return bytes.includes(BRACKET) || (inner >= 0 && bytes.includes(BRACE, inner + 1))
}

/**
 * The body of a submission as players send it, in a fraction of the time that naming every fault of it takes.
 * What it gives is what `parseBody` and the contract give; of anything else, or that needs a closer
 * look, undefined: they decide then.
 */
export const readPlainSubmission = (bytes: Buffer): Submitted | undefined => {
  // Text with neither an escape nor a stray byte is text that the database can keep.
  if (bytes.includes(BACKSLASH) || mayNest(bytes) || !isUtf8(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'))
    return isPlain(value) ? value : undefined
  } catch {
    // What is no JSON is refused by whoever says why.
    return undefined
  }
}
