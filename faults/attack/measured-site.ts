import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { freePort } from '#server/testing/network/free-port.ts'
import { catchMails, type MailCatcher } from '#server/testing/network/mail-catcher.ts'
import type { CaughtMail } from '#server/testing/network/read-mail.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { type Installation, openInstallation } from '../runner/installation.ts'
import { listProcessTree } from '../runner/processes.ts'
import { root, waitUntilReady } from '../runner/product.ts'

/** Longest event-loop delay, growth of memory and result of some work. */
type Measurement<T> = { value: T; loop_ms: number; grown_mb: number }

/** Latencies that a visitor of another network and another creator saw. */
type Neighbours = { page_p95_ms: number; save_max_ms: number }

/** Site whose memory and event loop are measured during an attack. */
export type MeasuredSite = {
  origin: string
  pid: number
  installation: Installation
  /** A new creator with a client and a token. */
  creator: () => Promise<{ client: Client; access_token: string }>
  /** Mails that the site has sent. */
  mails: () => CaughtMail[]
  /** Everything that the server wrote. */
  readOutput: () => string
  /** Runs some work and measures the server meanwhile. */
  measure: <T>(work: () => Promise<T>) => Promise<Measurement<T>>
  /** Runs some work while a visitor and a creator use the product. */
  besideNeighbours: <T>(work: () => Promise<T>) => Promise<Neighbours & { value: T }>
  close: () => Promise<void>
}

const READY_MS = 180_000
const REQUEST_MS = 60_000
/** Result mails a day that one network of visitors may cause on this site. */
export const MAX_NETWORK_MAILS = 40
const PAGE_EVERY_MS = 30
const SAVE_EVERY_MS = 200
/** Network of the neighbours; attacks come from others. */
const NEIGHBOUR_NETWORK = '198.51.100.7'

/** Resident memory of a process in MB: now, and its maximum since the last reset (Linux). */
const memoryOf = (pid: number): { now_mb: number; peak_mb: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024
  return { now_mb: field('VmRSS'), peak_mb: field('VmHWM') }
}
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

let nb_creators = 0

/** Signs a new creator up from a network of their own, because sign-ups of one network are limited. */
const signUpFromNewNetwork = async (
  origin: string,
): Promise<{ client: Client; access_token: string }> => {
  nb_creators++
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `172.16.${Math.floor(nb_creators / 250)}.${nb_creators % 250}`,
    },
    body: JSON.stringify({ email: `${randomUUID()}@exemple.fr`, password: 'un mot de passe' }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (!access_token) throw new Error(`a sign-up was answered ${response.status}`)
  return { client: clientOf(origin, access_token), access_token }
}

const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/** Starts the product as in production, behind a proxy that names the network of each request. */
export const openMeasuredSite = async (env: Record<string, string> = {}): Promise<MeasuredSite> => {
  const catcher: MailCatcher = await catchMails()
  const probe_port = await freePort()
  const installation = await openInstallation({
    engine: 'embedded',
    env: {
      SMTP_URL: catcher.url,
      MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
      AUTH_AUTOCONFIRM: 'true',
      RATE_LIMITS: 'on',
      TRUST_PROXY: 'true',
      WEBHOOKS_TO_LOOPBACK: 'on',
      RESULT_MAILS_PER_NETWORK: String(MAX_NETWORK_MAILS),
      PROBE_PORT: String(probe_port),
      ...env,
    },
  })
  const product = installation.startWithoutWaiting({
    node_options: [`--import=${root}/faults/programs/event-loop-probe.ts`],
  })
  await waitUntilReady(product, READY_MS)
  const { origin, pid } = product
  const probe = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${probe_port}${path}`)
    return ((await response.json()) as { longest_ms: number }).longest_ms
  }

  const measure: MeasuredSite['measure'] = async (work) => {
    const { now_mb } = memoryOf(pid)
    resetPeak(pid)
    await probe('/reset')
    const value = await work()
    const loop_ms = await probe('/longest')
    return { value, loop_ms, grown_mb: memoryOf(pid).peak_mb - now_mb }
  }

  const besideNeighbours: MeasuredSite['besideNeighbours'] = async (work) => {
    const { client, access_token } = await signUpFromNewNetwork(origin)
    const { id, question_id } = await publishedScoreQuiz(client)
    let isUnderWay = true
    const pages: number[] = []
    const saves: number[] = []
    const timed = async (path: string, init: RequestInit): Promise<number> => {
      const began = performance.now()
      const response = await fetch(origin + path, {
        ...init,
        headers: { 'x-forwarded-for': NEIGHBOUR_NETWORK, ...init.headers },
        signal: AbortSignal.timeout(REQUEST_MS),
      }).catch(() => undefined)
      await response?.arrayBuffer()
      // A refusal counts as the longest wait: the neighbour got nothing.
      return response?.ok ? performance.now() - began : REQUEST_MS
    }
    const visit = async (): Promise<void> => {
      while (isUnderWay) {
        pages.push(await timed(`/q/${id}`, {}))
        await pause(PAGE_EVERY_MS)
      }
    }
    const edit = async (): Promise<void> => {
      while (isUnderWay) {
        const body = JSON.stringify({ text: `Votre agenda, essai ${saves.length} ?` })
        const headers = {
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
        }
        saves.push(
          await timed(`/api/v1/questions/${question_id}`, { method: 'PUT', headers, body }),
        )
        await pause(SAVE_EVERY_MS)
      }
    }
    const neighbours = [visit(), edit()]
    try {
      const value = await work()
      isUnderWay = false
      await Promise.all(neighbours)
      return { value, page_p95_ms: quantile(pages, 0.95), save_max_ms: Math.max(0, ...saves) }
    } finally {
      isUnderWay = false
    }
  }

  return {
    origin,
    pid,
    installation,
    creator: () => signUpFromNewNetwork(origin),
    mails: () => catcher.mails,
    readOutput: product.readOutput,
    measure,
    besideNeighbours,
    close: async () => {
      await installation.cleanUp()
      await catcher.close()
    },
  }
}

/** Resident memory in MB of a process and of all its descendants without PostgreSQL's. */
export const familyMb = (pid: number): number => {
  let total = 0
  for (const member of listProcessTree(pid))
    try {
      const name = readFileSync(`/proc/${member}/comm`, 'utf8').trim()
      if (name !== 'postgres') total += memoryOf(member).now_mb
    } catch {
      // The process ended between the listing and the reading.
    }
  return total
}

/** Rounds of a measurement: only a delay that every round shows is the product's and not the machine's. */
const ROUNDS = 4

/** Measures some work up to four times, until the event loop waits for at most `max_loop_ms`. Returns the quietest round. */
export const measureQuietest = async <T>(
  site: MeasuredSite,
  max_loop_ms: number,
  work: () => Promise<T>,
): Promise<Measurement<T>> => {
  let best = await site.measure(work)
  for (let round = 1; round < ROUNDS && best.loop_ms > max_loop_ms; round++) {
    const next = await site.measure(work)
    if (next.loop_ms < best.loop_ms) best = next
  }
  return best
}
