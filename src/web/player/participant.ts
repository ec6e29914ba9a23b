const HEX = 16

/** A fresh random UUID. `crypto.randomUUID` exists on https and localhost alone; this works everywhere. */
export const createParticipantUuid = (
  random: Pick<Crypto, 'getRandomValues'> & Partial<Pick<Crypto, 'randomUUID'>> = crypto,
): string => {
  if (random.randomUUID) return random.randomUUID()
  const bytes = random.getRandomValues(new Uint8Array(16))
  const digits = [...bytes].map((byte) => byte.toString(HEX).padStart(2, '0')).join('')
  // The version (4) and the variant that RFC 9562 wants in their places.
  const variant = (Number.parseInt(digits.charAt(16), HEX) & 0b0011) | 0b1000
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant.toString(HEX)}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}
