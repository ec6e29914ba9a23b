import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { Client } from '#contract/client/client.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'

const SLOW_UPLOADS = 16
const REPLAYS = 40
/** Number of webhooks that a creator can add in ten minutes. */
const NB_SLOW_WEBHOOKS = 20
const SLOW_PARTICIPANTS = 20
const MAX_UPLOAD_MS = 15_000
const MAX_REPLAY_MS = 10_000
const MAX_DELIVERY_MS = 10_000
const SLOW_ANSWER_MS = 60_000

const addPicture = async (
  { origin }: MeasuredSite,
  access_token: string,
): Promise<{ status: number; elapsed_ms: number }> => {
  const body = await sharp({
    create: { width: 300, height: 200, channels: 3, background: '#c8562a' },
  })
    .jpeg()
    .toBuffer()
  const began = performance.now()
  const response = await fetch(`${origin}/api/v1/images`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'image/jpeg',
      'x-forwarded-for': '198.51.100.20',
    },
    signal: AbortSignal.timeout(60_000),
    body: new Uint8Array(body),
  })
  await response.arrayBuffer()
  return { status: response.status, elapsed_ms: performance.now() - began }
}

/** Opens an upload that sends bytes just fast enough not to be closed. */
const openSlowUpload = (
  origin: string,
  path: string,
  access_token: string,
  type: string,
): Socket => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) }, () => {
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: quiz',
      `content-type: ${type}`,
      'content-length: 9000000',
      `authorization: Bearer ${access_token}`,
      'x-forwarded-for: 203.0.113.21',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
  })
  const dripping = setInterval(() => socket.destroyed || socket.write(Buffer.alloc(40_000)), 1_000)
  socket.on('error', () => undefined)
  socket.resume()
  socket.once('close', () => clearInterval(dripping))
  return socket
}

const blockUploads = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const attacker = await site.creator()
  const victim = await site.creator()
  assertPrecondition(
    (await addPicture(site, victim.access_token)).status === 201,
    'no upload works',
  )
  const successes: string[] = []
  const kinds: Record<string, [string, string]> = {
    images: ['/api/v1/images', 'image/jpeg'],
    'quiz files': ['/api/v1/quizzes/import-file', 'application/json'],
  }
  for (const [name, [path, type]] of Object.entries(kinds)) {
    const sockets = Array.from({ length: SLOW_UPLOADS }, () =>
      openSlowUpload(site.origin, path, attacker.access_token, type),
    )
    await pause(1_500)
    const { status, elapsed_ms } = await addPicture(site, victim.access_token)
    const file = await importFile(site, victim)
    for (const socket of sockets) socket.destroy()
    context.note(`${name}: image ${status} in ${Math.round(elapsed_ms)} ms, file ${file}`)
    if (status !== 201 || elapsed_ms > MAX_UPLOAD_MS)
      successes.push(
        `slow ${name}: the image of another creator was answered ${status} after ${Math.round(elapsed_ms)} ms`,
      )
    if (file !== 201)
      successes.push(`slow ${name}: the quiz file of another creator was answered ${file}`)
  }
  return successes
}

const importFile = async (
  { origin }: MeasuredSite,
  { client, access_token }: { client: Client; access_token: string },
): Promise<number> => {
  const { id } = await publishedScoreQuiz(client)
  const headers = { authorization: `Bearer ${access_token}`, 'x-forwarded-for': '198.51.100.22' }
  const file = await fetch(`${origin}/api/v1/quizzes/${id}/export`, { headers })
  const response = await fetch(`${origin}/api/v1/quizzes/import-file`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(60_000),
    body: await file.text(),
  })
  await response.arrayBuffer()
  return response.status
}

const addParticipants = async (
  { origin }: MeasuredSite,
  quiz: Awaited<ReturnType<typeof publishedScoreQuiz>>,
  count: number,
): Promise<void> => {
  const submit = async (rank: number): Promise<void> => {
    const response = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `192.0.2.${rank % 250}`,
      },
      body: JSON.stringify({
        answers: {
          [quiz.question_id]: quiz.answer_ids[rank % 2],
          [quiz.open_id]: `p${rank}@exemple.fr`,
        },
      }),
    })
    await response.arrayBuffer()
  }
  for (let rank = 0; rank < count; rank += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count - rank) }, (_, at) => submit(rank + at)),
    )
}

const blockReplays = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const attacker = await site.creator()
  const victim = await site.creator()
  const large = await publishedScoreQuiz(attacker.client)
  await addParticipants(site, large, 2_500)
  const own = await publishedScoreQuiz(victim.client)
  await addParticipants(site, own, 20)
  const replay = async (id: string, access_token: string, network: string): Promise<number> => {
    const response = await fetch(`${site.origin}/api/v1/quizzes/${id}/replay`, {
      headers: { authorization: `Bearer ${access_token}`, 'x-forwarded-for': network },
      signal: AbortSignal.timeout(60_000),
    })
    await response.arrayBuffer()
    return response.status
  }
  assertPrecondition(
    (await replay(own.id, victim.access_token, '198.51.100.23')) === 200,
    'no replay works',
  )
  const attacks = Array.from({ length: REPLAYS }, () =>
    replay(large.id, attacker.access_token, '203.0.113.23').catch(() => 0),
  )
  await pause(50)
  const began = performance.now()
  const status = await replay(own.id, victim.access_token, '198.51.100.23')
  const elapsed_ms = performance.now() - began
  await Promise.all(attacks)
  context.note(`replay of another creator: ${status} in ${Math.round(elapsed_ms)} ms`)
  return status === 200 && elapsed_ms <= MAX_REPLAY_MS
    ? []
    : [`replay of another creator: ${status} after ${Math.round(elapsed_ms)} ms`]
}

/** Starts a webhook receiver that is slow below /slow and fast elsewhere. Records when fast deliveries arrived. */
const openReceiver = async (): Promise<{
  url: string
  arrival_times: number[]
  server: Server
}> => {
  const arrival_times: number[] = []
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/slow')) {
      setTimeout(() => response.end(), SLOW_ANSWER_MS).unref()
      return
    }
    arrival_times.push(performance.now())
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, arrival_times, server }
}

const delayDeliveries = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { url, arrival_times, server } = await openReceiver()
  const addWebhook = (client: Client, id: string, to: string) =>
    client.webhooks.add({ id, body: { url: to } })
  const victim = await site.creator()
  const own = await publishedScoreQuiz(victim.client)
  await addWebhook(victim.client, own.id, `${url}/quick`)
  const attacker = await site.creator()
  // A quiz can have five webhooks.
  for (let rank = 0; rank < NB_SLOW_WEBHOOKS / 5; rank++) {
    const quiz = await publishedScoreQuiz(attacker.client)
    for (let hook = 0; hook < 5; hook++)
      await addWebhook(attacker.client, quiz.id, `${url}/slow/${rank}/${hook}`).catch(
        () => undefined,
      )
    await addParticipants(site, quiz, SLOW_PARTICIPANTS)
  }
  await pause(2_000)
  const began = performance.now()
  await addParticipants(site, own, 1)
  const deadline = began + SLOW_ANSWER_MS
  while (arrival_times.length === 0 && performance.now() < deadline) await pause(50)
  const elapsed_ms = (arrival_times[0] ?? Number.POSITIVE_INFINITY) - began
  server.closeAllConnections()
  server.close()
  context.note(`webhook of another creator after ${Math.round(elapsed_ms)} ms`)
  return elapsed_ms <= MAX_DELIVERY_MS
    ? []
    : [`the webhook of another creator waits ${Math.round(elapsed_ms)} ms`]
}

/** Attacks of one creator that slow down other creators. */
export const sharedResources: Attack[] = [
  { name: 'slow uploads of one creator block others', run: blockUploads },
  { name: 'replays of one creator block others', run: blockReplays },
  { name: 'slow webhooks of one creator delay others', run: delayDeliveries },
]
