import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { type MailCatcher, startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import type { CaughtMail } from '#server/testing/network/mail/read-mail.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { type Installation, openInstallation } from '../runner/installation.ts'
import { listProcessTree } from '../runner/processes.ts'
import { root, waitUntilReady } from '../runner/product.ts'

/** Result of some work, with the longest event-loop delay and the growth of the memory of the server meanwhile. */
type Measurement<T> = { value: T; loop_ms: number; growth_mb: number }

/** Latencies of a visitor from another network and of another creator. */
type OtherUserLatencies = { page_p95_ms: number; save_max_ms: number }

/** Site whose memory and event loop are measured during an attack. */
export type MeasuredSite = {
  origin: string
  pid: number
  installation: Installation
  /** Creates a creator, and returns a client and an access token. */
  creator: () => Promise<{ client: Client; access_token: string }>
  /** Returns the mails that the site has sent. */
  mails: () => CaughtMail[]
  /** Returns the output of the server. */
  readOutput: () => string
  /** Runs `work` and measures the event loop and the memory of the server meanwhile. */
  measure: <T>(work: () => Promise<T>) => Promise<Measurement<T>>
  /** Runs `work` and measures the latencies of a visitor and a creator who use the product meanwhile. */
  measureOtherUsers: <T>(work: () => Promise<T>) => Promise<OtherUserLatencies & { value: T }>
  close: () => Promise<void>
}

const READY_MS = 180_000
const REQUEST_MS = 60_000
/** Maximum result mails a day that visitors from one network can cause on this site. */
export const MAX_NETWORK_MAILS = 40
const PAGE_INTERVAL_MS = 30
const SAVE_INTERVAL_MS = 200
/** Network of the visitor and of the creator; attacks come from other networks. */
const OTHER_USERS_NETWORK = '198.51.100.7'

/** Returns the resident memory of a process in MB, now and at most since the last reset (Linux). */
const memoryOf = (pid: number): { now_mb: number; peak_mb: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024
  return { now_mb: field('VmRSS'), peak_mb: field('VmHWM') }
}
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

let nb_creators = 0

/** Signs up a creator from an unused network, because sign-ups from one network are limited. */
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

/** Starts the product as in production. A header names the network of each request, as behind a proxy. */
export const openMeasuredSite = async (env: Record<string, string> = {}): Promise<MeasuredSite> => {
  const catcher: MailCatcher = await startMailCatcher()
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
    return { value, loop_ms, growth_mb: memoryOf(pid).peak_mb - now_mb }
  }

  const measureOtherUsers: MeasuredSite['measureOtherUsers'] = async (work) => {
    const { client, access_token } = await signUpFromNewNetwork(origin)
    const { id, question_id } = await publishedScoreQuiz(client)
    let isRunning = true
    const pages: number[] = []
    const saves: number[] = []
    const timed = async (path: string, init: RequestInit): Promise<number> => {
      const began = performance.now()
      const response = await fetch(origin + path, {
        ...init,
        headers: { 'x-forwarded-for': OTHER_USERS_NETWORK, ...init.headers },
        signal: AbortSignal.timeout(REQUEST_MS),
      }).catch(() => undefined)
      await response?.arrayBuffer()
      // A refused or failed request counts as the longest wait.
      return response?.ok ? performance.now() - began : REQUEST_MS
    }
    const visit = async (): Promise<void> => {
      while (isRunning) {
        pages.push(await timed(`/q/${id}`, {}))
        await pause(PAGE_INTERVAL_MS)
      }
    }
    const edit = async (): Promise<void> => {
      while (isRunning) {
        const body = JSON.stringify({ text: `Votre agenda, essai ${saves.length} ?` })
        const headers = {
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
        }
        saves.push(
          await timed(`/api/v1/questions/${question_id}`, { method: 'PUT', headers, body }),
        )
        await pause(SAVE_INTERVAL_MS)
      }
    }
    const other_users = [visit(), edit()]
    try {
      const value = await work()
      isRunning = false
      await Promise.all(other_users)
      return { value, page_p95_ms: quantile(pages, 0.95), save_max_ms: Math.max(0, ...saves) }
    } finally {
      isRunning = false
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
    measureOtherUsers,
    close: async () => {
      await installation.cleanUp()
      await catcher.close()
    },
  }
}

/** Returns the resident memory in MB of a process and its descendants, without PostgreSQL. */
export const familyMemoryMb = (pid: number): number => {
  let total = 0
  for (const member of listProcessTree(pid))
    try {
      const name = readFileSync(`/proc/${member}/comm`, 'utf8').trim()
      if (name !== 'postgres') total += memoryOf(member).now_mb
    } catch {
      // The process ended after it was listed.
    }
  return total
}

/** Maximum number of rounds. A delay that occurs in every round is caused by the product, not by other programs. */
const ROUNDS = 4

/** Measures `work` until the event loop is delayed by at most `max_loop_ms`, at most ROUNDS times. Returns the best round. */
export const measureQuietest = async <T>(
  site: MeasuredSite,
  max_loop_ms: number,
  work: () => Promise<T>,
): Promise<Measurement<T>> => {
  let quietest = await site.measure(work)
  for (let round = 1; round < ROUNDS && quietest.loop_ms > max_loop_ms; round++) {
    const next = await site.measure(work)
    if (next.loop_ms < quietest.loop_ms) quietest = next
  }
  return quietest
}
