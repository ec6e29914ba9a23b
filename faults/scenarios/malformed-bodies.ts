import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, type Scenario } from '../runner/scenario.ts'

const NB_CASES = 400
const MAX_DURATION_MS = 5_000
/** Texts that reveal internal details. */
const INTERNAL_DETAILS = /node_modules|\.ts:\d|postgres|SELECT |syntax error|at Object|ECONN/i

/** Returns a seeded random generator of whole numbers from 0 to `sides` - 1. */
const createRandom = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Texts that are no valid body. */
const INVALID_TEXTS = [
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
/** Bytes that are not UTF-8 text. */
const INVALID_BYTES = [
  Buffer.from([0xff, 0xfe, 0x7b]),
  Buffer.from([0x7b, 0xc3, 0x28, 0x7d]),
  Buffer.alloc(64),
]

/** Returns a valid body with up to six random bytes changed; one in four is also cut off. */
const damageBody = (valid_body: string, random: (sides: number) => number): Buffer => {
  const bytes = Buffer.from(valid_body)
  for (let changes = random(6) + 1; changes > 0; changes--)
    bytes[random(bytes.length)] = random(256)
  return random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
}

const sendMalformedBodies = async ({
  installation,
  quiz,
  round,
  result,
}: FaultContext): Promise<void> => {
  const { origin } = installation.product()
  const random = createRandom(round + 1)
  const valid_body = JSON.stringify({
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
  for (let rank = 0; rank < NB_CASES; rank++) {
    const path = paths[random(paths.length)] ?? ''
    const fixed = [...INVALID_TEXTS, ...INVALID_BYTES][rank]
    const body = fixed ?? damageBody(valid_body, random)
    const began = performance.now()
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': random(8) === 0 ? 'text/plain' : 'application/json' },
      body: typeof body === 'string' ? body : new Uint8Array(body),
      redirect: 'manual',
    })
    const text = await response.text()
    const what = `${path.replace(quiz.id, '{id}')} case ${rank}`
    if (response.status >= 500) addFailure(result, `${what} was answered ${response.status}`)
    if (performance.now() - began > MAX_DURATION_MS) addFailure(result, `${what} took too long`)
    if (response.status >= 400 && INTERNAL_DETAILS.test(text))
      addFailure(result, `${what}: the response contains internal details`)
  }
}

/** Scenario F16: malformed request bodies. */
export const malformedBodies: Scenario[] = [
  {
    fault: 'F16',
    name: `${NB_CASES} malformed bodies are sent; no response may be 5xx, slow or contain internal details`,
    engines: ['embedded'],
    rounds: { full: 5, short: 0 },
    run: runUnderLoad({ injectFault: sendMalformedBodies, checkAtEnd: async () => undefined }),
  },
]
