/**
 * The digits of a version 7 UUID after the time (RFC 9562). Each 0 becomes a random digit, and the 8 becomes a digit
 * from 8 to b.
 */
const PATTERN = '7000-8000-000000000000'
const TIME_DIGITS = 12

/** Returns 176 random bits, also on http pages and in engines without `crypto.randomUUID`. */
export const createRandomBytes = (): Uint8Array =>
  crypto.getRandomValues(new Uint8Array(PATTERN.length))

/**
 * Returns a new version 7 UUID. The UUID begins with the time, so that participants of the same hour are close
 * together in the index. `crypto.randomUUID` only makes version 4, on https and localhost.
 */
export const createParticipantUuid = (
  bytes: ArrayLike<number> = createRandomBytes(),
  now = Date.now(),
): string => {
  const time = now.toString(16).padStart(TIME_DIGITS, '0')
  const rest = PATTERN.replace(/[08]/g, (digit, place) =>
    (Number(digit) ^ ((bytes[place] as number) & (15 >> (Number(digit) / 4)))).toString(16),
  )
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest}`
}
