import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { type MailCatcher, startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import type { CaughtMail } from '#server/testing/network/mail/read-mail.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { clientOf } from '../../../scripts/http-client.ts'
import { type Installation, openInstallation } from '../../runner/installation.ts'
import { root, waitUntilReady } from '../../runner/product.ts'
import { createOtherUsers, type OtherUserLatencies } from './other-users.ts'
import {
  type Answer,
  type AttackRequest,
  createNetwork,
  MAX_QUEUED_ANSWER_MS,
  send,
} from './requests.ts'

/**
 * Result of some work, with the longest event-loop delay, the memory of the server at the start and its growth meanwhile.
 */
type Measurement<T> = { value: T; loop_ms: number; start_mb: number; growth_mb: number }

/** Creator on the measured site. */
export type Account = {
  site: MeasuredSite
  client: Client
  access_token: string
  /** Sends a request with the access token of the creator. `path` begins with `/api/v1` or another prefix. */
  call: (path: string, request?: AttackRequest) => Promise<Answer>
}

/** Site whose memory and event loop are measured during an attack. */
export type MeasuredSite = {
  origin: string
  pid: number
  installation: Installation
  /** Creates an account. */
  openAccount: () => Promise<Account>
  /** Returns the mails that the site has sent. */
  mails: () => CaughtMail[]
  /** Returns the output of the server. */
  readOutput: () => string
  /** Runs `work` and measures the event loop and the memory of the server meanwhile. */
  measure: <T>(work: () => Promise<T>) => Promise<Measurement<T>>
  /**
   * Runs `work` and measures the latencies of a visitor and a creator who use the product meanwhile. With
   * `has_documents`, the document of another creator is requested too.
   */
  measureOtherUsers: <T>(
    work: () => Promise<T>,
    options?: { has_documents?: boolean },
  ) => Promise<OtherUserLatencies & { value: T }>
  /** Waits until the memory of the server has grown by at most `max_mb` since `since_mb`. Returns the growth. */
  settleMemory: (since_mb: number, max_mb: number) => Promise<number>
  /** Returns how many jobs of a kind of heavy work hold a place. */
  countRunning: (kind: string) => Promise<number>
  close: () => Promise<void>
}

const READY_MS = 180_000
/** Maximum result mails a day that visitors from one network can cause on this site. */
export const MAX_NETWORK_MAILS = 40
/** Time in which memory must come back; idle threads end after one minute. */
const MAX_SETTLE_MS = 100_000
const SETTLE_INTERVAL_MS = 1_000

/** Returns the resident memory of a process in MB, now and at most since the last reset (Linux). */
export const memoryOf = (pid: number): { now_mb: number; peak_mb: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024
  return { now_mb: field('VmRSS'), peak_mb: field('VmHWM') }
}
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Signs up a creator from an unused network, because sign-ups from one network are limited. */
const signUpFromNewNetwork = async (origin: string): Promise<string> => {
  const body = { email: `${randomUUID()}@exemple.fr`, password: 'un mot de passe' }
  const answer = await send(`${origin}/auth/v1/signup`, {
    body,
    network: createNetwork(),
    timeout_ms: MAX_QUEUED_ANSWER_MS,
  })
  if (!answer.json.access_token) throw new Error(`a sign-up was answered ${answer.status}`)
  return String(answer.json.access_token)
}

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
    // A kept connection could end while this process prepares a large body, and the next request would fail.
    const response = await fetch(`http://127.0.0.1:${probe_port}${path}`, {
      headers: { connection: 'close' },
    })
    return ((await response.json()) as { longest_ms: number }).longest_ms
  }

  const measure: MeasuredSite['measure'] = async (work) => {
    const { now_mb } = memoryOf(pid)
    resetPeak(pid)
    await probe('/reset')
    const value = await work()
    const loop_ms = await probe('/longest')
    return { value, loop_ms, start_mb: now_mb, growth_mb: memoryOf(pid).peak_mb - now_mb }
  }

  const settleMemory: MeasuredSite['settleMemory'] = async (since_mb, max_mb) => {
    const deadline = performance.now() + MAX_SETTLE_MS
    for (;;) {
      const growth_mb = memoryOf(pid).now_mb - since_mb
      if (growth_mb <= max_mb || performance.now() > deadline) return growth_mb
      await pause(SETTLE_INTERVAL_MS)
    }
  }

  const countRunning: MeasuredSite['countRunning'] = async (kind) => {
    const text = await (await fetch(`${origin}/metrics`)).text()
    const found = new RegExp(`^heavy_work_running\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)
    if (!found) throw new Error(`/metrics has no figure of ${kind}`)
    return Number(found[1])
  }

  const site: MeasuredSite = {
    origin,
    pid,
    installation,
    openAccount: async () => {
      const access_token = await signUpFromNewNetwork(origin)
      return {
        site,
        client: clientOf(origin, access_token),
        access_token,
        call: (path, request) =>
          send(origin + path, {
            token: access_token,
            timeout_ms: MAX_QUEUED_ANSWER_MS,
            ...request,
          }),
      }
    },
    mails: () => catcher.mails,
    readOutput: product.readOutput,
    measure,
    measureOtherUsers: async (work, { has_documents = false } = {}) => {
      const users = await createOtherUsers(origin, await site.openAccount(), has_documents)
      return users.measure(work)
    },
    settleMemory,
    countRunning,
    close: async () => {
      await installation.cleanUp()
      await catcher.close()
    },
  }
  return site
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
