/** Initial value of the hash of a text (FNV-1a). */
const OFFSET = 0x811c9dc5
const PRIME = 0x01000193
/** Increment of the state between draws. An odd number reaches every state. */
const STRIDE = 0x9e3779b9
const STATES = 2 ** 32

const seedOf = (text: string): number => {
  let hash = OFFSET
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}

/** Returns a pseudo-random number from 0 to 2³² − 1. Consecutive states give unrelated numbers. */
const mixed = (state: number): number => {
  let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/**
 * Returns the entries in a random order that depends only on participant and question. Browser and server get the
 * same order, and all orders are equally likely.
 */
export const shuffled = <T extends object | string>(
  entries: readonly T[],
  participant_uuid: string,
  question_id: string,
): T[] => {
  const order: T[] = []
  let state = seedOf(`${participant_uuid} ${question_id}`)
  for (const [rank, entry] of entries.entries()) {
    state += STRIDE
    // Fisher–Yates shuffle: each entry takes a random place, and the entry of that place moves to the end.
    const place = Math.floor((mixed(state) / STATES) * (rank + 1))
    order.push(order[place] ?? entry)
    order[place] = entry
  }
  return order
}
