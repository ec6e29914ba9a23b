const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The 32 bytes of a Solana address; undefined for a text that is none. */
export const readAddress = (text: string): Uint8Array | undefined => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined
  const value = [...text].reduce(
    (sum, character) => sum * 58n + BigInt(ALPHABET.indexOf(character)),
    0n,
  )
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  // Each leading 1 stands for a byte of zero, which the number does not show.
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const whole = Buffer.concat([Buffer.alloc(zeros), value === 0n ? Buffer.alloc(0) : bytes])
  return whole.length === 32 ? whole : undefined
}
