/**
 * Measures deliveries per second, and compares them with the rate limits of the tools. Also measures the delay of one
 * delivery behind the backlog of another creator, and the cost of forwarding per submission. The fake tool answers
 * after 50 ms.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openPool } from '../../src/server/db/database.ts'
import { embeddedConnection } from '../../src/server/db/embedded/postgres-access.ts'
import { CHANNEL_RATE_LIMITS } from '../../src/server/deliveries/channel-rate-limits.ts'
import {
  createLoadNewerRuns,
  createLoadParticipantData,
} from '../../src/server/deliveries/participant-data.store.ts'
import { createSend } from '../../src/server/deliveries/send.ts'
import type { Tools } from '../../src/server/deliveries/send-delivery.ts'
import { createWorker } from '../../src/server/deliveries/worker.ts'
import { createKit } from '../../src/server/integrations/providers/kit.ts'
import { median, roundToHundredths } from '../figures.ts'
import { buildIfStale, startServer } from '../server.ts'
import { measureMaxRate } from '../submit/load.ts'
import { makeQuiz } from '../submit/quiz.ts'
import { createRequests } from '../submit/requests.ts'
import {
  addParticipants,
  countDelivered,
  createSenders,
  forwardQuiz,
  startSlowKit,
  switchForwarding,
} from './backlog.ts'

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    creators: { type: 'string', default: '20' },
    backlog: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '128' },
  },
})
const deliveries = Number(values.deliveries)
const creators = Number(values.creators)
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const POLL_INTERVAL_MS = 20
const MAX_DURATION_MS = 600_000

/** Waits until a condition holds and returns the elapsed milliseconds. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > MAX_DURATION_MS)
      throw new Error('The condition did not hold in time')
    await pause(POLL_INTERVAL_MS)
  }
  return performance.now() - began
}

buildIfStale()
process.env.WORKER = 'off'
const kit = await startSlowKit(50)
const server = await startServer()
const log = pino({ level: 'warn' })
const { db, close } = openPool(embeddedConnection(server.data_dir), log)
const convertkit = createKit({ api_url: kit.api_url })
const tools: Tools = {
  providers: { convertkit, systemio: convertkit, brevo: convertkit },
  open: async (id) => ({
    kind: 'open',
    connection: { id, user_id: id, provider: 'convertkit', secret: 'x', vendor_account_id: null },
  }),
  now: () => new Date(),
  targetOf: async () => ({
    field_key: 'resultat',
    tag_by_result: false,
    is_stale: false,
    rules: [],
    sends_parameters: false,
    parameter_fields: {},
    mappings: [],
    country: 'FR' as const,
  }),
  loadParticipantData: createLoadParticipantData(db),
  loadNewerRuns: createLoadNewerRuns(db),
  provision: async () => ({
    kind: 'provisioned',
    field_key: 'resultat',
    parameter_fields: {},
    mappings: [],
    new_fields: [],
  }),
}
const none = () => Promise.reject(new Error('This delivery is not expected'))
const worker = createWorker({
  db,
  log,
  notifyCreator: async () => undefined,
  send: createSend({ tools, sendWebhook: none, sendMail: none }),
  erase: none,
})
try {
  const senders = await createSenders(db, creators)
  const each = Math.ceil(deliveries / creators)
  for (const [rank, sender] of senders.entries())
    await addParticipants(db, sender, { count: each, name: `c${rank}p` })
  worker.wake()
  const all = each * creators
  const took = await until(async () => (await countDelivered(db)) >= all)
  const { per_second, burst } = CHANNEL_RATE_LIMITS.convertkit
  // The burst of an account is added to its rate.
  const allowed = (each - burst) / per_second
  console.log(
    `${all} deliveries of ${creators} accounts in ${roundToHundredths(took / 1_000)} s, ${Math.round(all / (took / 1_000))}/s; the rate limit of the tool allows them in ${roundToHundredths(allowed)} s: ratio ${roundToHundredths((allowed * 1_000) / took)}`,
  )

  const [busy, quiet] = await createSenders(db, 2)
  if (!busy || !quiet) throw new Error('Two senders are expected')
  await addParticipants(db, busy, { count: Number(values.backlog), name: 'busy' })
  worker.wake()
  await until(() => kit.arrivals.has('busy1@exemple.fr') || kit.arrivals.size > all)
  const waits: number[] = []
  for (let round = 0; round < rounds; round++) {
    await addParticipants(db, quiet, { count: 1, name: `quiet${round}-` })
    waits.push(await until(() => kit.arrivals.has(`quiet${round}-1@exemple.fr`)))
  }
  console.log(
    `Delay of one delivery behind a backlog of ${values.backlog}: ${Math.round(median(waits))} ms, at most ${Math.round(Math.max(...waits))} ms (goal 5000 or less)`,
  )
  await worker.close()

  const quiz = await makeQuiz(server.origin)
  await forwardQuiz(db, quiz.id)
  const load = {
    origin: server.origin,
    makeRequest: createRequests(quiz),
    connections: Number(values.connections),
  }
  await measureMaxRate(load, 2)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    await switchForwarding(db, quiz.id, false)
    const without = await measureMaxRate(load, seconds)
    await switchForwarding(db, quiz.id, true)
    const forwarding = await measureMaxRate(load, seconds)
    ratios.push(forwarding / without)
    console.log(
      `Submissions: ${Math.round(without)}/s, forwarding to three tools ${Math.round(forwarding)}/s`,
    )
  }
  console.log(
    `Submission rate with forwarding relative to none, median: ${roundToHundredths(median(ratios))} (goal 0.8 or more)`,
  )
} finally {
  await worker.close()
  await close()
  await server.stop()
  kit.close()
}
