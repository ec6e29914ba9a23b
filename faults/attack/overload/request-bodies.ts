import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { countFileDescriptors } from '../../runner/processes.ts'
import type { Attack, AttackContext } from '../runner/attack.ts'
import { describeFigures, type Figures, findExcesses, mergeWorst } from '../runner/limits.ts'
import { type AttackRequest, send } from '../runner/requests.ts'
import { type MeasuredCall, measureCalls, oneOf } from './measure-calls.ts'
import { openSlowRequest } from './slow-requests.ts'

const OTHER_USER_LIMITS = { page_p95_ms: 300, save_max_ms: 1_000 }
const NB_SLOW_BODIES = 400
const SLOW_MS = 8_000
const NB_UNREAD = 60
const MAX_UNREAD_MS = 90_000
const UNREAD_LIMITS = { growth_mb: 150 }

const createObjectWithKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, rank) => `"${rank}":""`).join(',')}}`

/** Paths whose callers need a token. */
const closedPaths = (id: string): string[] => [
  `/api/v1/quizzes/${id}/draft`,
  `/api/v1/quizzes/${id}/questions/unified/smart`,
  '/api/v1/quizzes/import',
  '/api/v1/quizzes/import-file',
  '/api/v1/images',
]

const FORGED_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA'

const createSubmission = (nb_answers: number): string => {
  const ids = Array.from(
    { length: nb_answers },
    (_, rank) => `"${rank.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000":""`,
  )
  return `{"answers":{${ids.join(',')}}}`
}

const parseBeforeAuthentication = async (context: AttackContext): Promise<string[]> => {
  const { site, client } = await context.openAccount()
  const { id } = await publishedScoreQuiz(client)
  const large = createObjectWithKeys(300_000)
  // The server may close the connection before the whole body is sent.
  const post = (path: string, body: string, request?: AttackRequest) => () =>
    send(site.origin + path, {
      body,
      network: '203.0.113.4',
      timeout_ms: 60_000,
      ...request,
    }).catch(() => ({ status: 0 }))
  const submission = (body: string) => post(`/api/v1/quizzes/${id}/submit`, body)
  const nested = `{"answers":${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}}`
  const calls: MeasuredCall[] = [
    ...closedPaths(id).flatMap((path) => [
      {
        name: `${path} without a token`,
        make: post(path, large),
        isExpected: oneOf(0, 401),
      },
      {
        name: `${path} with a forged token`,
        make: post(path, large, { token: FORGED_TOKEN }),
        isExpected: oneOf(0, 401),
      },
    ]),
    {
      name: '/auth/v1/user without a token',
      make: post('/auth/v1/user', large, { method: 'PUT' }),
      isExpected: oneOf(0, 401, 413),
    },
    ...[3, 1_000, 19_000].map((count) => ({
      name: `${count} answer keys`,
      make: submission(createSubmission(count)),
      isExpected: oneOf(422, 400),
    })),
    { name: 'nesting of 60,000', make: submission(nested), isExpected: oneOf(400, 422) },
  ]
  return measureCalls(context, calls)
}

const useUpRequestSlots = async (context: AttackContext): Promise<string[]> => {
  const { site, client, access_token } = await context.openAccount()
  const { id } = await publishedScoreQuiz(client)
  const draft = `/api/v1/quizzes/${id}/draft`
  const slowRequests: [name: string, path: string, headers: string[]][] = [
    ['slow bodies without a token', draft, []],
    ['slow bodies with a token', draft, [`authorization: Bearer ${access_token}`]],
    ['slow submissions', `/api/v1/quizzes/${id}/submit`, []],
    ['slow sign-ins', '/auth/v1/token?grant_type=password', []],
    ['slow forms', `/q/${id}`, []],
  ]
  const successes: string[] = []
  let worst: Figures = {}
  for (const [name, path, headers] of slowRequests) {
    const sockets = Array.from({ length: NB_SLOW_BODIES }, (_, rank) => {
      // Four networks, because rate limits would refuse most requests from one network.
      const network = `x-forwarded-for: 203.0.113.${rank % 4}`
      const request = { path, headers: ['content-type: application/json', network, ...headers] }
      return openSlowRequest(site.origin, { ...request, bytes_per_s: 1, length: 60_000 })
    })
    const {
      value: statuses,
      page_p95_ms,
      save_max_ms,
    } = await site.measureOtherUsers(async () => {
      await pause(SLOW_MS)
      const probes = ['/healthz', '/readyz'].map((probe) => send(site.origin + probe))
      return (await Promise.all(probes)).map(({ status }) => status)
    })
    for (const socket of sockets) socket.destroy()
    const figures = { page_p95_ms, save_max_ms }
    worst = mergeWorst(worst, figures)
    successes.push(...findExcesses(figures, OTHER_USER_LIMITS, name))
    if (statuses.some((status) => status !== 200))
      successes.push(`${name}: the health checks are answered ${statuses.join(', ')}`)
  }
  context.note(describeFigures(worst))
  return successes
}

const leaveResponsesUnread = async (context: AttackContext): Promise<string[]> => {
  const { site, client } = await context.openAccount()
  const { id } = await publishedScoreQuiz(client)
  const { hostname, port } = new URL(site.origin)
  const before = countFileDescriptors(site.pid)
  const began = performance.now()
  const sockets: Socket[] = []
  const { value, growth_mb } = await site.measure(async () => {
    for (let rank = 0; rank < NB_UNREAD; rank++) {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        const request = `GET /q/${id} HTTP/1.1\r\nhost: quiz\r\nx-forwarded-for: 203.0.113.6\r\n\r\n`
        // Pipelined requests, whose unread responses fill the buffers of both sides.
        socket.write(request.repeat(2_000))
      })
      socket.on('error', () => undefined)
      socket.pause()
      sockets.push(socket)
    }
    await pause(3_000)
    const page = await send(`${site.origin}/q/${id}`)
    const deadline = performance.now() + MAX_UNREAD_MS
    while (performance.now() < deadline && countFileDescriptors(site.pid) > before + NB_UNREAD / 10)
      await pause(500)
    return { status: page.status, nb_open: Math.max(0, countFileDescriptors(site.pid) - before) }
  })
  for (const socket of sockets) socket.destroy()
  const seconds = Math.round((performance.now() - began) / 1_000)
  context.note(`${Math.round(growth_mb)} MB, ${value.nb_open} connections open after ${seconds} s`)
  const successes: string[] = []
  if (value.status !== 200) successes.push(`another page is answered ${value.status}`)
  if (value.nb_open > NB_UNREAD / 10)
    successes.push(
      `${value.nb_open} connections with unread responses are still open after ${seconds} s`,
    )
  return [...successes, ...findExcesses({ growth_mb }, UNREAD_LIMITS)]
}

/** Attacks with large or slow bodies, and with responses that are not read. */
export const requestBodies: Attack[] = [
  { name: 'bodies are parsed before authentication', run: parseBeforeAuthentication },
  { name: 'slow bodies use up the request slots', run: useUpRequestSlots },
  { name: 'responses that the client never reads', run: leaveResponsesUnread },
]
