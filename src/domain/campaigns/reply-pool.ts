/**
 * Pool of the replies of an anonymous campaign. Replies leave the pool in random order and several at once, so that
 * neither their time nor their order tells whose they are (docs/decisions/083).
 */

/** Least number of replies of which figures are shown, and which leave the pool together. */
export const MIN_ANONYMOUS_REPLIES = 5
/** Number of waiting replies of a group at which five leave. Five stay, so that the last replies also leave together. */
const RELEASE_SIZE = 2 * MIN_ANONYMOUS_REPLIES

/** Waiting reply with the group of its person; null without a group that may be shown. */
export type PooledReply<T> = { group_name: string | null; reply: T }

/** Returns a random whole number from 0 to below `limit`. */
export type RandomInteger = (limit: number) => number

/** Returns the elements in random order (Fisher and Yates). */
const shuffle = <T>(elements: readonly T[], random: RandomInteger): T[] => {
  const shuffled = [...elements]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random(last + 1)
    const [first, second] = [shuffled[last] as T, shuffled[other] as T]
    shuffled[last] = second
    shuffled[other] = first
  }
  return shuffled
}

/** Replies that stay in a pool, and those that leave, both in random order. */
export type PoolChange<T> = { waiting: PooledReply<T>[]; released: PooledReply<T>[] }

/** Adds a reply to a pool. If ten replies of its group wait, five of them at random leave. */
export const addToPool = <T>(
  pool: readonly PooledReply<T>[],
  added: PooledReply<T>,
  random: RandomInteger,
): PoolChange<T> => {
  const all = shuffle([...pool, added], random)
  const isOfGroup = ({ group_name }: PooledReply<T>): boolean => group_name === added.group_name
  const ofGroup = all.filter(isOfGroup)
  if (ofGroup.length < RELEASE_SIZE) return { waiting: all, released: [] }
  const released = new Set(ofGroup.slice(0, MIN_ANONYMOUS_REPLIES))
  return { waiting: all.filter((reply) => !released.has(reply)), released: [...released] }
}

const withoutGroup = <T>({ reply }: PooledReply<T>): PooledReply<T> => ({ group_name: null, reply })

/**
 * Returns the replies of a pool that leave at the end of its campaign, in random order; none if the campaign has fewer
 * than five. Groups with fewer than five waiting replies lose their name. If these replies together are fewer than five,
 * the smallest other group loses its name too, because the few replies would otherwise stand alone.
 */
export const closePool = <T>(
  pool: readonly PooledReply<T>[],
  random: RandomInteger,
): PooledReply<T>[] => {
  if (pool.length < MIN_ANONYMOUS_REPLIES) return []
  const sizeOf = (group_name: string | null, { length }: readonly unknown[]): number =>
    group_name === null ? 0 : length
  // Replies without a group come first, so that they may already be five.
  const groups = [...Map.groupBy(pool, ({ group_name }) => group_name)].toSorted(
    (first, second) => sizeOf(...first) - sizeOf(...second),
  )
  const named: PooledReply<T>[] = []
  const unnamed: PooledReply<T>[] = []
  for (const [group_name, replies] of groups) {
    const isSmall = replies.length < MIN_ANONYMOUS_REPLIES
    const isNeeded = unnamed.length > 0 && unnamed.length < MIN_ANONYMOUS_REPLIES
    if (group_name === null || isSmall || isNeeded) unnamed.push(...replies.map(withoutGroup))
    else named.push(...replies)
  }
  return shuffle([...named, ...unnamed], random)
}
