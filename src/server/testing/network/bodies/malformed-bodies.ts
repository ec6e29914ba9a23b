/** Returns the seeds of random tests: 1 to FUZZ_SEEDS, or only 1 by default. */
export const readFuzzSeeds = (): number[] =>
  Array.from({ length: Number(process.env.FUZZ_SEEDS ?? 1) }, (_, index) => index + 1)

/** Body that is no valid JSON request, with the name of its defect. */
export type MalformedBody = { name: string; payload: Buffer; headers?: Record<string, string> }

type Random = () => number
/** Returns a seeded random generator (mulberry32). */
const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const text = (name: string, payload: string): MalformedBody => ({
  name,
  payload: Buffer.from(payload),
})
const bytes = (name: string, ...payload: number[]): MalformedBody => ({
  name,
  payload: Buffer.from(payload),
})

/** Bodies that every call must refuse before validation. */
const MALFORMED_BODIES: MalformedBody[] = [
  text('nothing closed', '{'),
  text('a comma too many', '{"a":1,}'),
  text('a text that does not end', '"abc'),
  text('two values', '{}{}'),
  text('NaN', '{"a":NaN}'),
  text('a comment', '{/* */}'),
  text('single quotes', "{'a':1}"),
  text('deep lists', '['.repeat(50_000)),
  text('deep objects', '{"a":'.repeat(20_000)),
  text('deep and closed', `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  text('many values', `[${'0,'.repeat(7_000)}0]`),
  text('a magic key', '{"__proto__":{"is_admin":true}}'),
  text('a magic key twice', '{"__proto__":1,"__proto__":{"x":1}}'),
  text('a magic key in escapes', '{"\\u005f\\u005fproto__":{}}'),
  text('a constructor', '{"constructor":{"prototype":{"x":1}}}'),
  text('NUL in a key', '{"a\\u0000b":1}'),
  text('half a character in a key', '{"\\ud800":1}'),
  text('a raw control character', '{"a":"\u0001"}'),
  bytes('bytes that are no UTF-8', 0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d),
  bytes('a letter in too many bytes', 0x22, 0xc0, 0xaf, 0x22),
  bytes('a surrogate in bytes', 0x22, 0xed, 0xa0, 0x80, 0x22),
  bytes('UTF-16', 0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  bytes('zeros', 0, 0, 0, 0),
  {
    name: 'another type',
    payload: Buffer.from('a=1'),
    headers: { 'content-type': 'text/plain' },
  },
  {
    name: 'another charset',
    payload: Buffer.from('{}'),
    headers: { 'content-type': 'application/json; charset=utf-16' },
  },
  {
    name: 'something compressed',
    payload: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
    headers: { 'content-encoding': 'gzip' },
  },
]

const VALUES: unknown[] = [
  null,
  true,
  -1,
  1.5,
  3e9,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  'x'.repeat(12_000),
  "'; drop table quizzes; --",
  [],
  {},
  [[[[]]]],
  { toString: 1 },
  [null],
]

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

/** Returns a copy of the value in which one random member, at any depth, has another value. */
const replaceRandomMember = (random: Random, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || random() < 0.2) return pick(random, VALUES)
  const key = pick(random, Object.keys(value))
  if (key === undefined) return pick(random, VALUES)
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaceRandomMember(random, copy[key])
  return copy
}

/** Returns a copy of the body with one random byte at a random place. */
const changeRandomByte = (random: Random, good: Buffer): Buffer => {
  const copy = Buffer.from(good)
  const at = Math.floor(random() * copy.length)
  if (copy.length > 0) copy[at] = Math.floor(random() * 256)
  return copy
}

/** Returns all malformed bodies, and `count` random changes of a valid body: a byte, a cut or a member. */
export const createMalformedBodies = (
  good: unknown,
  seed: number,
  count: number,
): MalformedBody[] => {
  const random = createRandom(seed)
  const whole = Buffer.from(JSON.stringify(good))
  const changed = Array.from({ length: count }, (_, index): MalformedBody => {
    const name = `seed ${seed}, ${index}`
    if (index % 3 === 0)
      return { name: `${name}: a byte`, payload: changeRandomByte(random, whole) }
    if (index % 3 === 1) {
      const cut = whole.subarray(0, Math.floor(random() * whole.length))
      return { name: `${name}: cut`, payload: cut }
    }
    const payload = Buffer.from(JSON.stringify(replaceRandomMember(random, good)))
    return { name: `${name}: a member`, payload }
  })
  return [...MALFORMED_BODIES, ...changed]
}

/** Returns true for a body that every call must refuse. Random changes can be valid by chance. */
export const isAlwaysMalformed = (body: MalformedBody): boolean => MALFORMED_BODIES.includes(body)
