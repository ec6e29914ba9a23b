/** Of the hash that a draw begins with (FNV-1a). */
const OFFSET = 0x811c9dc5
const PRIME = 0x01000193
/** What a state grows by from draw to draw: odd, so that it comes to every state. */
const STRIDE = 0x9e3779b9
const STATES = 2 ** 32

const seedOf = (text: string): number => {
  let hash = OFFSET
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}

/** A whole number from 0 to 2³² − 1 that tells nothing of its neighbours. */
const mixed = (state: number): number => {
  let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/**
 * The entries in the order that is drawn for this participant and question: every order is as likely as another,
 * and the same on every side and at every call. Of one participant the questions have orders of their own.
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
    // Each entry takes the place of one before it, or stays last, and that one goes last.
    const place = Math.floor((mixed(state) / STATES) * (rank + 1))
    order.push(order[place] ?? entry)
    order[place] = entry
  }
  return order
}
