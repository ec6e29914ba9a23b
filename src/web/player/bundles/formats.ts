import { findBadInput, normalizeDecimals, readDecimals } from '#web/player/fields/decimals.ts'
import { ConsentBox, cleanFields, formatError, formatProps } from '#web/player/fields/formats.tsx'
import { type FormatParts, parts } from '#web/player/parts.ts'

/** Fields of addresses, phone numbers, numbers and days, for pages whose quiz has some. */
const FORMATS: FormatParts = {
  formatProps,
  formatError,
  cleanFields,
  ConsentBox,
  findBadInput,
  normalizeDecimals,
  readDecimals,
}
Object.assign(parts, FORMATS)
