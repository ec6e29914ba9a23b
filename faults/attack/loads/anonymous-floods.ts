import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'

const MAX_GROWTH_MB = 64
const MAX_SENT_MB = 25
const PARALLEL = 20

let nb_networks = 0
/** Returns an address of a network that no other attack uses. */
const newNetwork = (): string => {
  const nr = nb_networks++
  return `198.${18 + (nr >> 16)}.${(nr >> 8) & 255}.${nr & 255}`
}

type Call = { path: string; init?: RequestInit; from?: string }

const send = async ({ origin }: MeasuredSite, { path, init = {}, from }: Call): Promise<number> => {
  const response = await fetch(origin + path, {
    ...init,
    headers: { 'x-forwarded-for': from ?? newNetwork(), ...init.headers },
    signal: AbortSignal.timeout(60_000),
  })
  await response.arrayBuffer()
  return response.status
}

/** Makes `count` calls, some at once, and counts their statuses. */
const flood = async (
  site: MeasuredSite,
  count: number,
  callOf: (nr: number) => Call,
): Promise<Map<number, number>> => {
  const statuses = new Map<number, number>()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const status = await send(site, callOf(next++))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return statuses
}

const NB_VARIED_CALLS = 6_000
/** Headers and addresses that a visitor can vary without limit, and that must not become keys of a cache. */
const VARIED: [name: string, callOf: (id: string, nr: number) => Call][] = [
  ['Accept-Encoding', (id, nr) => page(id, { 'accept-encoding': `br, x-${nr}` })],
  ['weights in Accept-Encoding', (id, nr) => page(id, { 'accept-encoding': `br;q=0.${nr}, gzip` })],
  [
    'long Accept-Encoding',
    (id, nr) => page(id, { 'accept-encoding': `${nr}${',x'.repeat(2_000)}` }),
  ],
  ['Accept-Language', (id, nr) => page(id, { 'accept-language': `fr-${nr}` })],
  ['User-Agent', (id, nr) => page(id, { 'user-agent': `Mozilla/${nr}` })],
  ['If-None-Match', (id, nr) => page(id, { 'if-none-match': `"${nr}", "x"` })],
  ['Origin', (id, nr) => page(id, { origin: `https://site-${nr}.example` })],
  ['Referer', (id, nr) => page(id, { referer: `https://site-${nr}.example/` })],
  ['X-Request-Id', (id, nr) => page(id, { 'x-request-id': `request-${nr}-long` })],
  ['parameters of a page', (id, nr) => ({ path: `/q/${id}?utm_source=${nr}` })],
  ['ranks of results', (id, nr) => ({ path: `/q/${id}?r=${(nr % 999) + 1}` })],
  ['ranks of pictures', (id, nr) => ({ path: `/q/${id}/image-1-r${(nr % 999) + 1}.png` })],
  ['versions of pictures', (id, nr) => ({ path: `/q/${id}/image-${nr + 2}.png` })],
  ['ids of quizzes', () => ({ path: `/q/${randomUUID()}` })],
  ['names of quizzes', (_id, nr) => ({ path: `/q/quiz-${nr}` })],
  ['capitals of an id', (id, nr) => ({ path: `/q/${capitals(id, nr)}` })],
  [
    'capitals of a snapshot',
    (id, nr) => ({ path: `/api/v1/quizzes/${capitals(id, nr)}/snapshot` }),
  ],
  ['ids of pictures', (_id, nr) => ({ path: `/images/${randomUUID()}/${nr}.webp` })],
  [
    'tokens of shared statistics',
    (_id, nr) => ({ path: `/api/v1/shared-statistics/${`${nr}`.padStart(24, 'a')}` }),
  ],
  ['numbers of certificates', (_id, nr) => ({ path: `/attestation/${`${nr}`.padStart(16, '0')}` })],
  [
    'oEmbed addresses',
    (id, nr) => ({
      path: `/oembed?url=${encodeURIComponent(`https://x.example/q/${id}?n=${nr}`)}`,
    }),
  ],
  ['unknown files', (_id, nr) => ({ path: `/assets/file-${nr}.js` })],
]
const page = (id: string, headers: Record<string, string>): Call => ({
  path: `/q/${id}`,
  init: { headers },
})
/** Writes letters of an id in capitals, by the bits of a number. */
const capitals = (id: string, nr: number): string => {
  let bit = 0
  return id.replace(/[a-f]/g, (letter) => ((nr >> bit++) & 1 ? letter.toUpperCase() : letter))
}

const fillCaches = (callOf: (id: string, nr: number) => Call) => async (context: AttackContext) => {
  const site = await context.measured()
  const { client } = await site.creator()
  const { id } = await publishedScoreQuiz(client)
  await flood(site, 100, (nr) => callOf(id, nr))
  const { value, growth_mb } = await site.measure(() =>
    flood(site, NB_VARIED_CALLS, (nr) => callOf(id, nr + 100)),
  )
  context.note(`${growth_mb.toFixed(0)} MB after ${NB_VARIED_CALLS} calls`)
  context.note([...value].map(([status, count]) => `${status} ×${count}`).join(' '))
  return [
    ...(growth_mb > MAX_GROWTH_MB ? [`memory grew by ${growth_mb.toFixed(0)} MB`] : []),
    ...([...value.keys()].some((status) => status >= 500 && status !== 503)
      ? ['a server error']
      : []),
  ]
}

const BODY_BYTES = 250_000
const NB_BODIES = 200
const heavyBody = (question_id: string): string =>
  JSON.stringify({ answers: { [question_id]: 'é'.repeat(BODY_BYTES / 2) } })

/** Returns an attack that sends as many bytes of replies as the addresses of one attacker may. */
const sendReplies =
  (fromOf: (nr: number) => string, form: 'announced' | 'chunked') =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const { client } = await site.creator()
    const { id, question_id } = await publishedScoreQuiz(client)
    const body = heavyBody(question_id)
    const statuses = await flood(site, NB_BODIES, (nr) => ({
      path: `/api/v1/quizzes/${id}/submit`,
      from: fromOf(nr),
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: form === 'announced' ? body : new Blob([body]).stream(),
        ...(form === 'chunked' && { duplex: 'half' }),
      } as RequestInit,
    }))
    const nb_refused = (statuses.get(429) ?? 0) + (statuses.get(503) ?? 0)
    const read_mb = ((NB_BODIES - nb_refused) * BODY_BYTES) / 1e6
    context.note(`${read_mb.toFixed(0)} MB of ${(NB_BODIES * BODY_BYTES) / 1e6} MB were read`)
    return read_mb > MAX_SENT_MB ? [`${read_mb.toFixed(0)} MB were read`] : []
  }

const NB_FILE_CALLS = 7_000
const readWithoutPause =
  (path: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const from = newNetwork()
    assertPrecondition((await send(site, { path, from })) < 500, `${path} does not answer`)
    const { value, loop_ms } = await site.measure(() =>
      flood(site, NB_FILE_CALLS, () => ({ path, from })),
    )
    context.note(`${value.get(429) ?? 0} of ${NB_FILE_CALLS} calls refused`)
    context.note(`event loop ${loop_ms.toFixed(0)} ms`)
    return value.has(429) ? [] : ['one address was never refused']
  }

/** Floods without a token: keys of caches, bytes of replies, and files without pause. */
export const anonymousFloods: Attack[] = [
  ...VARIED.map(([name, callOf]) => ({
    name: `caches are filled with varied ${name}`,
    run: fillCaches(callOf),
  })),
  ...(['announced', 'chunked'] as const).map((form) => ({
    name: `replies of 250 kB from one address fill the disk (${form})`,
    run: sendReplies(() => '203.0.113.90', form),
  })),
  {
    name: 'replies of 250 kB from one IPv6 network fill the disk',
    run: sendReplies((nr) => `2001:db8:77:1::${nr.toString(16)}`, 'announced'),
  },
  ...['/docs/reference/json', '/docs/reference/yaml', '/docs/quizaine.ts', '/auth/v1/settings'].map(
    (path) => ({
      name: `${path} is read without pause`,
      run: readWithoutPause(path),
    }),
  ),
]
