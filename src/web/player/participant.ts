/** What follows the time in a version 7 UUID (RFC 9562), each 0 standing for a random digit, the 8 for one of 8 to b. */
const PATTERN = '7000-8000-000000000000'
const TIME_DIGITS = 12

/**
 * A fresh UUID, time first, so that participants of the same hour lie together in what is stored.
 * `crypto.randomUUID` exists on https and localhost alone, and knows no such; this works everywhere.
 */
export const createParticipantUuid = (
  random: Pick<Crypto, 'getRandomValues'> = crypto,
  now = Date.now(),
): string => {
  const time = now.toString(16).padStart(TIME_DIGITS, '0')
  const [...bytes] = random.getRandomValues(new Uint8Array(PATTERN.length))
  const rest = PATTERN.replace(/[08]/g, (digit, place) =>
    (Number(digit) ^ ((bytes[place] ?? 0) & (15 >> (Number(digit) / 4)))).toString(16),
  )
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest}`
}
