import { readConsents } from '#domain/questionnaire/consent/consent.ts'
import { findBadInput, normalizeDecimals, readDecimals } from '#web/player/fields/decimals.ts'
import { cleanFields, FieldNote, formatError, formatProps } from '#web/player/fields/formats.tsx'
import { type FormatParts, parts } from '#web/player/parts.ts'

/** Fields of addresses, numbers and days, and what they share with phone numbers, for pages whose quiz has some. */
const FORMATS: FormatParts = {
  formatProps,
  formatError,
  cleanFields,
  FieldNote,
  readConsents,
  findBadInput,
  normalizeDecimals,
  readDecimals,
}
Object.assign(parts, FORMATS)
