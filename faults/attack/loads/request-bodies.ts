import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { countFileDescriptors } from '../../runner/processes.ts'
import type { Attack, AttackContext } from '../attack.ts'
import { type MeasuredSite, measureQuietest } from '../measured-site.ts'

const MAX_LOOP_MS = 250
const MAX_PAGE_P95_MS = 300
const MAX_SAVE_MS = 1_000
const NB_SLOW_BODIES = 400
const SLOW_MS = 8_000
const NB_UNREAD = 60
const MAX_UNREAD_MS = 90_000
const MAX_GROWTH_MB = 150

const createObjectWithKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, rank) => `"${rank}":""`).join(',')}}`

type TimedResponse = { status: number; loop_ms: number }

const sendBody = async (
  site: MeasuredSite,
  path: string,
  body: string,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<TimedResponse> => {
  const { value, loop_ms } = await measureQuietest(site, MAX_LOOP_MS, () =>
    fetch(site.origin + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.4', ...headers },
      signal: AbortSignal.timeout(60_000),
      body,
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      // The server may close the connection before the whole body is sent.
      () => 0,
    ),
  )
  return { status: value, loop_ms }
}

const parseBeforeAuthentication = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client } = await site.creator()
  const { id } = await publishedScoreQuiz(client)
  const successes: string[] = []
  let worst_ms = 0
  const checkResponse = (
    name: string,
    { status, loop_ms }: TimedResponse,
    expected: number[],
  ): void => {
    worst_ms = Math.max(worst_ms, loop_ms)
    if (!expected.includes(status)) successes.push(`${name}: answered ${status}`)
    if (loop_ms > MAX_LOOP_MS)
      successes.push(`${name}: the event loop waits ${Math.round(loop_ms)} ms`)
  }
  const large = createObjectWithKeys(300_000)
  const forged = { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA' }
  for (const path of [
    `/api/v1/quizzes/${id}/draft`,
    `/api/v1/quizzes/${id}/questions/unified/smart`,
    '/api/v1/quizzes/import',
    '/api/v1/quizzes/import-file',
    '/api/v1/images',
  ]) {
    checkResponse(`${path} without a token`, await sendBody(site, path, large), [0, 401])
    checkResponse(
      `${path} with a forged token`,
      await sendBody(site, path, large, forged),
      [0, 401],
    )
  }
  const put = await sendBody(site, '/auth/v1/user', large, {}, 'PUT')
  checkResponse('/auth/v1/user without a token', put, [0, 401, 413])
  const id_of = (rank: number) =>
    `${rank.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  const answers = (count: number) =>
    `{"answers":{${Array.from({ length: count }, (_, rank) => `"${id_of(rank)}":""`).join(',')}}}`
  const submit = `/api/v1/quizzes/${id}/submit`
  for (const count of [3, 1_000, 19_000])
    checkResponse(`${count} answer keys`, await sendBody(site, submit, answers(count)), [422, 400])
  const nested = `{"answers":${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}}`
  checkResponse('nesting of 60,000', await sendBody(site, submit, nested), [400, 422])
  context.note(`event loop ${Math.round(worst_ms)} ms`)
  return successes
}

/** Opens a request whose body arrives at one byte a second. */
const openSlowRequest = (origin: string, path: string, headers: string[]): Socket => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) }, () => {
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: quiz',
      'content-type: application/json',
      'content-length: 60000',
      ...headers,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  })
  const timer = setInterval(() => socket.destroyed || socket.write(' '), 1_000)
  socket.on('error', () => undefined)
  socket.resume()
  socket.once('close', () => clearInterval(timer))
  return socket
}

const useUpRequestSlots = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client, access_token } = await site.creator()
  const { id } = await publishedScoreQuiz(client)
  const successes: string[] = []
  const slowRequests: Record<string, [string, string[]]> = {
    'slow bodies without a token': [`/api/v1/quizzes/${id}/draft`, []],
    'slow bodies with a token': [
      `/api/v1/quizzes/${id}/draft`,
      [`authorization: Bearer ${access_token}`],
    ],
    'slow submissions': [`/api/v1/quizzes/${id}/submit`, []],
    'slow sign-ins': ['/auth/v1/token?grant_type=password', []],
    'slow forms': [`/q/${id}`, []],
  }
  let worst_page_ms = 0
  let worst_save_ms = 0
  for (const [name, [path, headers]] of Object.entries(slowRequests)) {
    const sockets = Array.from({ length: NB_SLOW_BODIES }, (_, rank) =>
      // Four networks, because rate limits would refuse most requests from one network.
      openSlowRequest(site.origin, path, [...headers, `x-forwarded-for: 203.0.113.${rank % 4}`]),
    )
    const { page_p95_ms, save_max_ms, value } = await site.measureOtherUsers(async () => {
      await pause(SLOW_MS)
      return Promise.all(
        ['/healthz', '/readyz'].map(async (path) => (await fetch(site.origin + path)).status),
      )
    })
    for (const socket of sockets) socket.destroy()
    worst_page_ms = Math.max(worst_page_ms, page_p95_ms)
    worst_save_ms = Math.max(worst_save_ms, save_max_ms)
    if (page_p95_ms > MAX_PAGE_P95_MS)
      successes.push(`${name}: a page takes ${Math.round(page_p95_ms)} ms`)
    if (save_max_ms > MAX_SAVE_MS)
      successes.push(`${name}: a save takes ${Math.round(save_max_ms)} ms`)
    if (value.some((status) => status !== 200))
      successes.push(`${name}: the health checks are answered ${value.join(', ')}`)
  }
  context.note(`page ${Math.round(worst_page_ms)} ms, save ${Math.round(worst_save_ms)} ms`)
  return successes
}

const leaveResponsesUnread = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client } = await site.creator()
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
    const page = await fetch(`${site.origin}/q/${id}`)
    await page.arrayBuffer()
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
  if (growth_mb > MAX_GROWTH_MB) successes.push(`${Math.round(growth_mb)} MB of memory`)
  return successes
}

/** Attacks with large or slow bodies, and with responses that are not read. */
export const requestBodies: Attack[] = [
  { name: 'bodies are parsed before authentication', run: parseBeforeAuthentication },
  { name: 'slow bodies use up the request slots', run: useUpRequestSlots },
  { name: 'responses that the client never reads', run: leaveResponsesUnread },
]
