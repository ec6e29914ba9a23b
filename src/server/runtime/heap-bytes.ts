/** Bytes of V8's parts of a value: headers, a slot of an object or array, and an entry of a map with its hash table. */
const OBJECT_BYTES = 24
const SLOT_BYTES = 8
const STRING_BYTES = 16
const NUMBER_BYTES = 16
const ENTRY_BYTES = 32

const isTwoBytes = (text: string): boolean => /[\u0100-\uffff]/.test(text)

const stringBytes = (text: string): number =>
  STRING_BYTES + (isTwoBytes(text) ? 2 * text.length : text.length)

/**
 * Returns about how many bytes a value of plain data takes in memory: objects, arrays, maps, sets, texts, numbers and
 * buffers. Objects that occur twice count once.
 */
export const measureHeapBytes = (value: unknown): number => {
  const seen = new Set<object>()
  const waiting: unknown[] = [value]
  let bytes = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') bytes += stringBytes(next)
    else if (typeof next === 'number') bytes += Number.isInteger(next) ? 0 : NUMBER_BYTES
    else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next)
      bytes += OBJECT_BYTES
      if (ArrayBuffer.isView(next)) bytes += next.byteLength
      else if (Array.isArray(next)) {
        bytes += SLOT_BYTES * next.length
        for (const item of next) waiting.push(item)
      } else if (next instanceof Map || next instanceof Set) {
        bytes += ENTRY_BYTES * next.size
        for (const item of next instanceof Map ? [...next.keys(), ...next.values()] : next)
          waiting.push(item)
      } else
        for (const name in next) {
          bytes += SLOT_BYTES
          waiting.push((next as Record<string, unknown>)[name])
        }
    }
  }
  return bytes
}
