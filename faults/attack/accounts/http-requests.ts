import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../../scripts/http-client.ts'
import { sendBytes } from '../../scenarios/stalled-clients.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import { createOwner } from './auth-client.ts'

const FORM_BYTES = 3 * 1_048_576
/**
 * Rounds of a measurement. The minimum counts, because only delays that the product causes occur in every round.
 */
const ROUNDS = 4
const MAX_SLOWDOWN = 10
/** Minimum duration of an ordinary form; shorter measurements depend on the machine. */
const MIN_USUAL_MS = 5

const FORM_PARTS = ['consent=1&', '+', '%2b', 'a=1&', '&', '=']

/** Returns the longest wait of another user during an attack. */
const longestWait = async (origin: string, attackOnce: () => Promise<unknown>): Promise<number> => {
  let isRunning = true
  const attack = attackOnce()
    // The server may close the connection before the whole form is sent.
    .catch(() => undefined)
    .finally(() => {
      isRunning = false
    })
  let longest = 0
  while (isRunning) {
    const started_at = performance.now()
    await send(`${origin}/healthz`)
    longest = Math.max(longest, performance.now() - started_at)
    await pause(1)
  }
  await attack
  return longest
}

const blockWithForms = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('with_confirmation')
  const creator = await createOwner(context, origin)
  const { id, open_id } = await publishedScoreQuiz(clientOf(origin, creator.access_token))
  const post = (path: string, body: string) => () =>
    fetch(`${origin}/q/${id}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      signal: AbortSignal.timeout(10_000),
      body,
    }).then((answer) => answer.arrayBuffer())
  /** Returns the shortest wait of several rounds. Stops after a round below `good_enough`. */
  const shortestWait = async (
    attackOnce: () => Promise<unknown>,
    good_enough: number,
  ): Promise<number> => {
    let shortest_ms = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && shortest_ms > good_enough; round += 1)
      shortest_ms = Math.min(shortest_ms, await longestWait(origin, attackOnce))
    return shortest_ms
  }
  const ordinary_ms = await shortestWait(post('', `${open_id}=camille%40exemple.fr`), MIN_USUAL_MS)
  const usual_ms = Math.max(MIN_USUAL_MS, ordinary_ms)
  const successes: string[] = []
  for (const part of FORM_PARTS)
    for (const path of ['', '/resultat']) {
      const form = part.repeat(FORM_BYTES / part.length)
      const wait_ms = await shortestWait(post(path, form), usual_ms * MAX_SLOWDOWN)
      if (wait_ms > usual_ms * MAX_SLOWDOWN)
        successes.push(
          `a form of 3 MiB of ${part} to /q/{id}${path} delays other users by ${Math.round(wait_ms)} ms, an ordinary form by ${Math.round(usual_ms)} ms`,
        )
    }
  return successes
}

const readPrivateData = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('with_confirmation')
  const successes: string[] = []
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
    successes.push('the metrics are readable with a foreign host name')

  const creator = await createOwner(context, origin)
  const client = clientOf(origin, creator.access_token)
  const { id } = await publishedScoreQuiz(client)
  for (const path of ['/', '/metrics', `/q/${id}`]) {
    const status = await get(path, [host, 'other.example'])
    if (status > 0 && status < 400)
      successes.push(`${path} with two Host headers was answered ${status}`)
  }

  const { url, expires_at } = await client.exports.link({ id, body: { format: 'csv' } })
  if (Date.parse(expires_at) > Date.now() + 125_000)
    successes.push(`a download link is valid until ${expires_at}`)
  const statuses = await Promise.all([1, 2, 3].map(async () => (await send(origin + url)).status))
  statuses.push((await send(origin + url)).status)
  const nb_downloads = statuses.filter((status) => status === 200).length
  assertPrecondition(nb_downloads > 0, `a download was answered ${statuses[0]}`)
  if (nb_downloads > 1) successes.push(`one download link was used ${nb_downloads} times`)
  return successes
}

/** Attacks with large forms, false host names and reused links. */
export const httpRequestAttacks: Attack[] = [
  { name: 'large forms block the event loop', run: blockWithForms },
  { name: 'a reused download link or a false host name reads private data', run: readPrivateData },
]
