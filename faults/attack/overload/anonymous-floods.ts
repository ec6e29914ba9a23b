import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import {
  describeFigures,
  describeStatuses,
  findExcesses,
  findServerErrors,
} from '../runner/limits.ts'
import { type AttackRequest, callInParallel, createNetwork, send } from '../runner/requests.ts'

const LIMITS = { growth_mb: 64 }
const MAX_READ_MB = 25
const CONCURRENCY = 20

/** Request without a token, from a new network unless the request names one. */
type AnonymousCall = { path: string; request?: AttackRequest }

/** Makes `count` calls, some at the same time, and returns their statuses. */
const flood = (
  origin: string,
  count: number,
  callOf: (nr: number) => AnonymousCall,
): Promise<{ status: number }[]> =>
  callInParallel(
    count,
    async (nr) => {
      const { path, request } = callOf(nr)
      // Only the status is kept, because thousands of answers would fill the memory of this process.
      const { status } = await send(origin + path, {
        network: createNetwork(),
        timeout_ms: 60_000,
        follows_redirects: true,
        ...request,
      })
      return { status }
    },
    CONCURRENCY,
  )

const openPage = (id: string, headers: Record<string, string>): AnonymousCall => ({
  path: `/q/${id}`,
  request: { headers },
})
/** Writes letters of an id in capitals: the letter with rank n if bit n of `nr` is set. */
const capitalize = (id: string, nr: number): string => {
  let bit = 0
  return id.replace(/[a-f]/g, (letter) => ((nr >> bit++) & 1 ? letter.toUpperCase() : letter))
}

const NB_VARIED_CALLS = 6_000
/** Headers and addresses that a visitor can vary without limit, and that must not become keys of a cache. */
const VARIED_CALLS: [name: string, callOf: (id: string, nr: number) => AnonymousCall][] = [
  ['Accept-Encoding', (id, nr) => openPage(id, { 'accept-encoding': `br, x-${nr}` })],
  [
    'weights in Accept-Encoding',
    (id, nr) => openPage(id, { 'accept-encoding': `br;q=0.${nr}, gzip` }),
  ],
  [
    'long Accept-Encoding',
    (id, nr) => openPage(id, { 'accept-encoding': `${nr}${',x'.repeat(2_000)}` }),
  ],
  ['Accept-Language', (id, nr) => openPage(id, { 'accept-language': `fr-${nr}` })],
  ['User-Agent', (id, nr) => openPage(id, { 'user-agent': `Mozilla/${nr}` })],
  ['If-None-Match', (id, nr) => openPage(id, { 'if-none-match': `"${nr}", "x"` })],
  ['Origin', (id, nr) => openPage(id, { origin: `https://site-${nr}.example` })],
  ['Referer', (id, nr) => openPage(id, { referer: `https://site-${nr}.example/` })],
  ['X-Request-Id', (id, nr) => openPage(id, { 'x-request-id': `request-${nr}-long` })],
  ['parameters of a page', (id, nr) => ({ path: `/q/${id}?utm_source=${nr}` })],
  ['values of prefilled links', (id, nr) => ({ path: `/q/${id}?q.1=${nr}` })],
  ['ranks of results', (id, nr) => ({ path: `/q/${id}?r=${(nr % 999) + 1}` })],
  ['ranks of pictures', (id, nr) => ({ path: `/q/${id}/image-1-r${(nr % 999) + 1}.png` })],
  ['versions of pictures', (id, nr) => ({ path: `/q/${id}/image-${nr + 2}.png` })],
  ['ids of quizzes', () => ({ path: `/q/${randomUUID()}` })],
  ['names of quizzes', (_id, nr) => ({ path: `/q/quiz-${nr}` })],
  ['capitals of an id', (id, nr) => ({ path: `/q/${capitalize(id, nr)}` })],
  [
    'capitals of a snapshot',
    (id, nr) => ({ path: `/api/v1/quizzes/${capitalize(id, nr)}/snapshot` }),
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
const fillCaches =
  (callOf: (id: string, nr: number) => AnonymousCall) =>
  async (context: AttackContext): Promise<string[]> => {
    const { site, client } = await context.openAccount()
    const { id } = await publishedScoreQuiz(client)
    await flood(site.origin, 100, (nr) => callOf(id, nr))
    const { value, growth_mb } = await site.measure(() =>
      flood(site.origin, NB_VARIED_CALLS, (nr) => callOf(id, nr + 100)),
    )
    context.note(`${describeFigures({ growth_mb })}, ${describeStatuses(value)}`)
    return [...findExcesses({ growth_mb }, LIMITS), ...findServerErrors(value)]
  }

const BODY_BYTES = 250_000
const NB_BODIES = 200

/** Returns an attack that sends more replies than the networks of one attacker may. */
const sendReplies =
  (networkOf: (nr: number) => string, transfer: 'announced' | 'chunked') =>
  async (context: AttackContext): Promise<string[]> => {
    const { site, client } = await context.openAccount()
    const { id, question_id } = await publishedScoreQuiz(client)
    const body = JSON.stringify({ answers: { [question_id]: 'é'.repeat(BODY_BYTES / 2) } })
    const statuses = await flood(site.origin, NB_BODIES, (nr) => ({
      path: `/api/v1/quizzes/${id}/submit`,
      request: {
        network: networkOf(nr),
        body: transfer === 'announced' ? body : new Blob([body]).stream(),
      },
    }))
    const nb_read = statuses.filter(({ status }) => status !== 429 && status !== 503).length
    const read_mb = (nb_read * BODY_BYTES) / 1e6
    context.note(`${read_mb.toFixed(0)} MB of ${(NB_BODIES * BODY_BYTES) / 1e6} MB were read`)
    return read_mb > MAX_READ_MB ? [`${read_mb.toFixed(0)} MB were read`] : []
  }

const NB_FILE_CALLS = 7_000
const readWithoutPause =
  (path: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const { origin, measure } = await context.measuredSite()
    const network = createNetwork()
    const first = await send(origin + path, { network })
    assertPrecondition(first.status < 500, `${path} is answered ${first.status}`)
    const { value, loop_ms } = await measure(() =>
      flood(origin, NB_FILE_CALLS, () => ({ path, request: { network } })),
    )
    context.note(`${describeStatuses(value)}, ${describeFigures({ loop_ms })}`)
    const isLimited = value.some(({ status }) => status === 429)
    return isLimited ? [] : ['one address was never refused']
  }

/** Floods without a token: keys of caches, bytes of replies, and files without pause. */
export const anonymousFloods: Attack[] = [
  ...VARIED_CALLS.map(([name, callOf]) => ({
    name: `caches are filled with varied ${name}`,
    run: fillCaches(callOf),
  })),
  ...(['announced', 'chunked'] as const).map((transfer) => ({
    name: `replies of 250 kB from one address fill the disk (${transfer})`,
    run: sendReplies(() => '203.0.113.90', transfer),
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
