import { addFailure, type Scenario } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** F16: request bodies that are not JSON, not text, too deep or of a wrong shape (G2). */

const CASES = 400
const MAX_DURATION_MS = 5_000
const INTERNALS = /node_modules|\.ts:\d|postgres|SELECT |syntax error|at Object|ECONN/i

/** Returns a seeded random generator. */
const dice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const WHOLE = [
  '',
  '{',
  'null',
  '[]',
  '"texte"',
  '12',
  '{"answers":null}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  '{"answers":{"__proto__":{"a":1}},"participant_uuid":{"constructor":1}}',
  '{"__proto__":{"access":"creator"}}',
  '{"answers":{},"participant_uuid":"x","version":1e400}',
  '{"answers":{},"version":3000000000}',
  '{"answers":{},"version":1.5}',
  '{"answers":{},"email":"\\u0000@exemple.fr"}',
  '{"answers":{},"email":"\\ud800@exemple.fr"}',
  `{"answers":{},"email":"${'a'.repeat(60_000)}"}`,
]
const NO_TEXT = [
  Buffer.from([0xff, 0xfe, 0x7b]),
  Buffer.from([0x7b, 0xc3, 0x28, 0x7d]),
  Buffer.alloc(64),
]

/** Returns a valid body with a few changed bytes. */
const damaged = (good: string, roll: (sides: number) => number): Buffer => {
  const bytes = Buffer.from(good)
  for (let changes = roll(6) + 1; changes > 0; changes--) bytes[roll(bytes.length)] = roll(256)
  return roll(4) === 0 ? bytes.subarray(0, roll(bytes.length)) : bytes
}

const malformed = async ({ installation, quiz, round, result }: FaultContext): Promise<void> => {
  const { origin } = installation.product()
  const roll = dice(round + 1)
  const good = JSON.stringify({
    answers: { [quiz.question_id]: quiz.answer_ids[0] },
    email: 'a@exemple.fr',
  })
  const paths = [
    `/api/v1/quizzes/${quiz.id}/submit`,
    '/auth/v1/signup',
    '/auth/v1/token?grant_type=password',
    '/auth/v1/recover',
    '/api/v1/quizzes',
    `/q/${quiz.id}`,
  ]
  for (let rank = 0; rank < CASES; rank++) {
    const path = paths[roll(paths.length)] ?? ''
    const fixed = [...WHOLE, ...NO_TEXT][rank]
    const body = fixed ?? damaged(good, roll)
    const began = performance.now()
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': roll(8) === 0 ? 'text/plain' : 'application/json' },
      body: typeof body === 'string' ? body : new Uint8Array(body),
      redirect: 'manual',
    })
    const text = await response.text()
    const what = `${path.replace(quiz.id, '{id}')} case ${rank}`
    if (response.status >= 500) addFailure(result, `${what} was answered ${response.status}`)
    if (performance.now() - began > MAX_DURATION_MS) addFailure(result, `${what} took too long`)
    if (response.status >= 400 && INTERNALS.test(text))
      addFailure(result, `${what} tells of the machine`)
  }
}

/** Scenarios F16: malformed bodies. */
export const bodies: Scenario[] = [
  {
    fault: 'F16',
    name: `${CASES} malformed bodies`,
    engines: ['embedded'],
    rounds: { whole: 5, short: 0 },
    run: underLoad({ disturb: malformed, conclude: async () => undefined }),
  },
]
