/** A fresh random UUID. `crypto.randomUUID` exists on https and localhost alone; this works everywhere. */
export const createParticipantUuid = (random: Pick<Crypto, 'getRandomValues'> = crypto): string => {
  const bytes = random.getRandomValues(new Uint8Array(16))
  // The version (4) and the variant that RFC 9562 wants in their places.
  bytes.set([((bytes[6] ?? 0) & 15) | 64, bytes[7] ?? 0, ((bytes[8] ?? 0) & 63) | 128], 6)
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
