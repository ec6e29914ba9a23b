import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { Client } from '#contract/client/client.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import type { Account } from '../runner/measured-site.ts'
import { type Answer, callInParallel, submit } from '../runner/requests.ts'
import { openSlowRequest } from './slow-requests.ts'

const NB_SLOW_UPLOADS = 16
const NB_REPLAYS = 40
/** Number of webhooks that a creator can add in ten minutes. */
const NB_SLOW_WEBHOOKS = 20
const NB_SLOW_PARTICIPANTS = 20
const MAX_UPLOAD_MS = 15_000
const MAX_REPLAY_MS = 10_000
const MAX_DELIVERY_MS = 10_000
const SLOW_ANSWER_MS = 60_000

const uploadImage = async ({ call }: Account): Promise<Answer> => {
  const body = await sharp({
    create: { width: 300, height: 200, channels: 3, background: '#c8562a' },
  })
    .jpeg()
    .toBuffer()
  const headers = { 'content-type': 'image/jpeg' }
  return call('/api/v1/images', { body, headers, network: '198.51.100.20' })
}

/** Exports a quiz as a file and imports the file. */
const importQuizFile = async ({ client, call }: Account): Promise<Answer> => {
  const network = '198.51.100.22'
  const { id } = await publishedScoreQuiz(client)
  const { text } = await call(`/api/v1/quizzes/${id}/export`, { network })
  return call('/api/v1/quizzes/import-file', { body: text, network })
}

const SLOW_UPLOADS: [name: string, path: string, type: string][] = [
  ['images', '/api/v1/images', 'image/jpeg'],
  ['quiz files', '/api/v1/quizzes/import-file', 'application/json'],
]

/** Opens uploads that send bytes just fast enough not to be closed. */
const openSlowUploads = ({ site, access_token }: Account, path: string, type: string) =>
  Array.from({ length: NB_SLOW_UPLOADS }, () =>
    openSlowRequest(site.origin, {
      path,
      headers: [
        `content-type: ${type}`,
        `authorization: Bearer ${access_token}`,
        'x-forwarded-for: 203.0.113.21',
      ],
      bytes_per_s: 40_000,
      length: 9_000_000,
    }),
  )

const blockUploads = async (context: AttackContext): Promise<string[]> => {
  const attacker = await context.openAccount()
  const victim = await context.openAccount()
  assertPrecondition((await uploadImage(victim)).status === 201, 'no upload works')
  const successes: string[] = []
  for (const [name, path, type] of SLOW_UPLOADS) {
    const sockets = openSlowUploads(attacker, path, type)
    await pause(1_500)
    const image = await uploadImage(victim)
    const file = await importQuizFile(victim)
    for (const socket of sockets) socket.destroy()
    const ms = Math.round(image.ms)
    context.note(`${name}: image ${image.status} in ${ms} ms, file ${file.status}`)
    if (image.status !== 201 || ms > MAX_UPLOAD_MS)
      successes.push(
        `slow ${name}: the image of another creator was answered ${image.status} after ${ms} ms`,
      )
    if (file.status !== 201)
      successes.push(`slow ${name}: the quiz file of another creator was answered ${file.status}`)
  }
  return successes
}

const addParticipants = async ({ site }: Account, quiz: SampleQuiz, count: number) =>
  callInParallel(
    count,
    (rank) => {
      const answers = {
        [quiz.question_id]: quiz.answer_ids[rank % 2],
        [quiz.open_id]: `p${rank}@exemple.fr`,
      }
      return submit(site.origin, quiz.id, { answers }, `192.0.2.${rank % 250}`)
    },
    50,
  )

const blockReplays = async (context: AttackContext): Promise<string[]> => {
  const attacker = await context.openAccount()
  const victim = await context.openAccount()
  const large_quiz = await publishedScoreQuiz(attacker.client)
  await addParticipants(attacker, large_quiz, 2_500)
  const own_quiz = await publishedScoreQuiz(victim.client)
  await addParticipants(victim, own_quiz, 20)
  const replay = ({ call }: Account, id: string, network: string): Promise<Answer> =>
    call(`/api/v1/quizzes/${id}/replay`, { network })
  const replayOwn = () => replay(victim, own_quiz.id, '198.51.100.23')
  assertPrecondition((await replayOwn()).status === 200, 'no replay works')
  const attacks = Array.from({ length: NB_REPLAYS }, () =>
    replay(attacker, large_quiz.id, '203.0.113.23').catch(() => undefined),
  )
  await pause(50)
  const { status, ms } = await replayOwn()
  await Promise.all(attacks)
  const outcome = `replay of another creator: ${status} in ${Math.round(ms)} ms`
  context.note(outcome)
  return status === 200 && ms <= MAX_REPLAY_MS ? [] : [outcome]
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
  const { url, arrival_times, server } = await openReceiver()
  const addWebhook = (client: Client, id: string, to: string) =>
    client.webhooks.add({ id, body: { url: to } })
  const victim = await context.openAccount()
  const own_quiz = await publishedScoreQuiz(victim.client)
  await addWebhook(victim.client, own_quiz.id, `${url}/quick`)
  const attacker = await context.openAccount()
  // A quiz can have five webhooks.
  for (let rank = 0; rank < NB_SLOW_WEBHOOKS / 5; rank++) {
    const quiz = await publishedScoreQuiz(attacker.client)
    for (let hook = 0; hook < 5; hook++)
      await addWebhook(attacker.client, quiz.id, `${url}/slow/${rank}/${hook}`).catch(
        () => undefined,
      )
    await addParticipants(attacker, quiz, NB_SLOW_PARTICIPANTS)
  }
  await pause(2_000)
  const began = performance.now()
  await addParticipants(victim, own_quiz, 1)
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
