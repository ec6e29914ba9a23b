/** A version 4 UUID (RFC 9562), each 0 standing for a random digit, the 8 for one of 8 to b. */
const PATTERN = '00000000-0000-4000-8000-000000000000'

/** A fresh random UUID. `crypto.randomUUID` exists on https and localhost alone; this works everywhere. */
export const createParticipantUuid = (random: Pick<Crypto, 'getRandomValues'> = crypto): string => {
  const [...bytes] = random.getRandomValues(new Uint8Array(PATTERN.length))
  return PATTERN.replace(/[08]/g, (digit, place) =>
    (Number(digit) ^ ((bytes[place] ?? 0) & (15 >> (Number(digit) / 4)))).toString(16),
  )
}
