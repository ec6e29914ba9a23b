import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../../scripts/http-client.ts'
import { sendBytes } from '../../scenarios/stalled-clients.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { call, newPerson } from './people.ts'

const SIZE = 3 * 1_048_576
/**
 * Rounds of a measurement. The minimum counts, because a blocked loop shows in each round and load of the machine
 * does not.
 */
const ROUNDS = 4
const MAX_TIMES = 10
/** Minimum duration of a yardstick; shorter ones measure the machine. */
const MIN_MS = 5

const FORMS = ['consent=1&', '+', '%2b', 'a=1&', '&', '=']

/** Returns the longest wait of another user's calls while `make` runs. */
const longestWait = async (origin: string, make: () => Promise<unknown>): Promise<number> => {
  let isUnderWay = true
  const made = make()
    // A server that refuses early closes the connection while we still send.
    .catch(() => undefined)
    .finally(() => {
      isUnderWay = false
    })
  let longest = 0
  while (isUnderWay) {
    const asked = performance.now()
    await call(`${origin}/healthz`)
    longest = Math.max(longest, performance.now() - asked)
    await pause(1)
  }
  await made
  return longest
}

const blockWithForms = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('confirming')
  const creator = await newPerson(context, origin)
  const { id, open_id } = await publishedScoreQuiz(clientOf(origin, creator.access_token))
  const post = (path: string, body: string) => () =>
    fetch(`${origin}/q/${id}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      signal: AbortSignal.timeout(10_000),
      body,
    }).then((answer) => answer.arrayBuffer())
  /** Returns the minimum of several rounds; stops early below `good_enough`. */
  const best = async (make: () => Promise<unknown>, good_enough: number): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && least > good_enough; round += 1)
      least = Math.min(least, await longestWait(origin, make))
    return least
  }
  const ordinary = await best(post('', `${open_id}=camille%40exemple.fr`), MIN_MS)
  const usual = Math.max(MIN_MS, ordinary)
  const got: string[] = []
  for (const part of FORMS)
    for (const path of ['', '/resultat']) {
      const form = part.repeat(SIZE / part.length)
      const wait = await best(post(path, form), usual * MAX_TIMES)
      if (wait > usual * MAX_TIMES)
        got.push(
          `a form of 3 MiB of ${part} to /q/{id}${path} holds everybody ${Math.round(wait)} ms, an ordinary one ${Math.round(usual)} ms`,
        )
    }
  return got
}

const readPrivateData = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('confirming')
  const got: string[] = []
  const { host } = new URL(origin)
  const get = (path: string, hosts: string[]) =>
    sendBytes(
      origin,
      `GET ${path} HTTP/1.1\r\n${hosts.map((name) => `Host: ${name}\r\n`).join('')}Connection: close\r\n\r\n`,
    )
  assertPrecondition(
    (await get('/metrics', [host])) === 200,
    'this machine may not read the metrics',
  )
  if ((await get('/metrics', ['rebound.example'])) === 200)
    got.push('the metrics, under another name for this machine')

  const creator = await newPerson(context, origin)
  const client = clientOf(origin, creator.access_token)
  const { id } = await publishedScoreQuiz(client)
  for (const path of ['/', '/metrics', `/q/${id}`]) {
    const status = await get(path, [host, 'other.example'])
    if (status > 0 && status < 400) got.push(`${path} with two hosts: ${status}`)
  }

  const { url, expires_at } = await client.exports.link({ id, body: { format: 'csv' } })
  if (Date.parse(expires_at) > Date.now() + 125_000) got.push(`a download until ${expires_at}`)
  const statuses = await Promise.all([1, 2, 3].map(async () => (await call(origin + url)).status))
  statuses.push((await call(origin + url)).status)
  const nb_downloads = statuses.filter((status) => status === 200).length
  assertPrecondition(nb_downloads > 0, `a download was answered ${statuses[0]}`)
  if (nb_downloads > 1) got.push(`${nb_downloads} downloads of one link`)
  return got
}

/** Attacks with large forms, false host names and reused links. */
export const requests: Attack[] = [
  { name: 'large forms block the event loop', run: blockWithForms },
  { name: 'a reused download link or a false host name reads private data', run: readPrivateData },
]
