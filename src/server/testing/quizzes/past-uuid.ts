import { randomUUIDv7 } from 'node:crypto'

/** Length of the time in the text of a version 7 UUID, with its hyphen. */
const TIME_LENGTH = 13

/** Returns a version 7 UUID as it was created at a moment, in ms since 1970. The platform creates UUIDs of now alone. */
export const pastUuid = (created_at_ms: number): string => {
  const hex = created_at_ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${randomUUIDv7().slice(TIME_LENGTH)}`
}
