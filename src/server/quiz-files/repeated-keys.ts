import { MAGIC_KEYS } from '#server/http/body.ts'

/** An object or list that the reading is in: the keys it had, or how many values; and the one it is at. */
type Level = { keys: Set<string> | undefined; at: string | number }

/** Where the text that begins at this quote ends: behind its closing quote. */
const endOfText = (json: string, start: number): number => {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let nb_escapes = 0
    while (json[quote - 1 - nb_escapes] === '\\') nb_escapes++
    if (nb_escapes % 2 === 0) return quote + 1
  }
}

/** Keys that are read before other work gets its turn. */
const KEYS_PER_TURN = 1_000

/**
 * Returns the path of the first key that an object has twice, or that none may have; undefined if there is none. The text
 * is JSON that was parsed before. `pause` is awaited between its parts. Readers differ in which of two equal keys they take.
 */
export const findWrongKey = async (
  json: string,
  pause: () => Promise<void>,
): Promise<string | undefined> => {
  let nb_keys = 0
  const levels: Level[] = []
  let awaitsKey = false
  for (let index = 0; index < json.length; index++) {
    const level = levels.at(-1)
    switch (json[index]) {
      case '{':
        levels.push({ keys: new Set(), at: '' })
        awaitsKey = true
        break
      case '[':
        levels.push({ keys: undefined, at: 0 })
        awaitsKey = false
        break
      case '}':
      case ']':
        levels.pop()
        awaitsKey = false
        break
      case ',':
        if (level && typeof level.at === 'number') level.at++
        awaitsKey = level?.keys !== undefined
        break
      case '"': {
        const end = endOfText(json, index)
        if (awaitsKey && level?.keys) {
          const key: string = JSON.parse(json.slice(index, end))
          level.at = key
          if (level.keys.has(key) || MAGIC_KEYS.includes(key))
            return levels.map(({ at }) => at).join('.')
          level.keys.add(key)
          if (++nb_keys % KEYS_PER_TURN === 0) await pause()
          awaitsKey = false
        }
        index = end - 1
      }
    }
  }
  return undefined
}
