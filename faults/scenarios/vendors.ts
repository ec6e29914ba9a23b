import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { type FakeReceiver, startReceiver } from '#server/testing/fakes/webhook-receiver.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { check } from '../check.ts'
import { openInstallation } from '../installation.ts'
import { startLoad } from '../load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'

/** F24: failing email tool and webhook, and a process killed between sending and storing the outcome (G9). */

const PARTICIPANTS = 1_000
const PATIENCE_MS = 600_000
const KILLS = 3

type Fake = Awaited<ReturnType<typeof startBrevo>>

/** Makes the next calls fail in different ways. */
const failNextCalls = (brevo: Fake): void => {
  const contacts = { method: 'POST', path: '/v3/contacts' }
  const headers = { 'x-sib-ratelimit-reset': '1' }
  brevo.fail({ ...contacts, mode: 'before', status: 500 })
  brevo.fail({ ...contacts, mode: 'after' })
  brevo.fail({ ...contacts, mode: 'before', status: 429, headers })
  brevo.fail({ ...contacts, mode: 'before' })
  brevo.fail({ ...contacts, mode: 'slow', delay_ms: 500 })
  brevo.fail({ ...contacts, mode: 'before', status: 200, body: '<html>' })
  brevo.fail({ ...contacts, mode: 'hang' })
}

/** Makes the next webhook calls fail in different ways. */
const failNextWebhookCalls = (receiver: FakeReceiver): void => {
  receiver.fail({ mode: 'before', status: 500 })
  receiver.fail({ mode: 'after' })
  receiver.fail({ mode: 'before', status: 429, headers: { 'retry-after': '1' } })
  receiver.fail({ mode: 'before' })
  receiver.fail({ mode: 'slow', delay_ms: 500 })
  receiver.fail({ mode: 'before', status: 404 })
  receiver.fail({ mode: 'before', status: 302, headers: { location: 'http://127.0.0.1:1/' } })
  receiver.fail({ mode: 'hang' })
}

const HOOK = 'participants'

const testFailingTool = async ({ engine }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  const brevo = await startBrevo({ flows: true })
  const receiver = await startReceiver({ flows: true })
  const env = { ...brevo.env, WEBHOOKS_TO_LOOPBACK: 'on' }
  const installation = await openInstallation({ engine, env })
  let client: pg.Client | undefined
  try {
    const { origin } = await installation.start()
    const creator = await signUpCreator(origin)
    const quiz = await publishedScoreQuiz(creator)
    await creator.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
    await creator.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
    await creator.integrations.setBrevo({ id: quiz.id, body: { enabled: true } })
    const body = { url: receiver.urlOf(HOOK) }
    const { secret } = await creator.webhooks.add({ id: quiz.id, body })
    receiver.verifyAt(HOOK, secret)
    const beside = await sendBeside(origin, { brevo, creator })
    const load = startLoad({ origin, quiz, client: creator, visitors: 16, think_ms: 1 })
    const { sent } = load.record
    const began = performance.now()
    for (let kill = 1; kill <= KILLS; kill++) {
      failNextCalls(brevo)
      failNextWebhookCalls(receiver)
      while (sent.size < (PARTICIPANTS * kill) / (KILLS + 1)) await pause(5)
      installation.product().kill('SIGKILL')
      await installation.product().exited
      await installation.start()
      result.rounds++
    }
    while (sent.size < PARTICIPANTS) await pause(5)
    await load.finish()
    const ended = performance.now()
    // The embedded database has a password after the first start.
    const connected = new pg.Client(installation.connection)
    client = connected
    connected.on('error', () => undefined)
    await connected.connect()
    const nbWaiting = async (): Promise<number> => {
      const { rows } = await connected.query<{ count: number }>(
        "select count(*)::integer as count from deliveries where status = 'pending'",
      )
      return rows[0]?.count ?? 0
    }
    while ((await nbWaiting()) > 0) {
      // Waiting deliveries become due now.
      await connected.query(
        "update deliveries set next_attempt_at = now() where status = 'pending'",
      )
      if (performance.now() - ended > PATIENCE_MS) break
      await pause(500)
    }
    const left = await nbWaiting()
    if (left > 0) addFailure(result, `${left} deliveries wait still`)
    result.recoveries.push(performance.now() - ended)
    await compare({
      result,
      brevo,
      emails: [...sent.keys()].map((id) => `p${id.slice(0, 8)}@exemple.fr`),
      others: beside,
    })
    compareReceived(result, receiver, [...sent.keys()])
    const checked = await check(installation, { quiz, log: load.record })
    result.acknowledged = checked.acknowledged
    result.lost += checked.lost
    result.doubled += checked.doubled
    addFailure(result, ...checked.wrong, ...load.record.wrong)
    result.notes.push(`${Math.round((ended - began) / 1_000)} s of submissions with ${KILLS} kills`)
  } finally {
    await client?.end()
    await installation.cleanUp()
    await Promise.all([brevo.close(), receiver.close()])
  }
  return result
}

const OTHER_KEY = 'xkeysib-other'
const BESIDE = 50

/**
 * Submits participants of another creator, and participants without consent, who must not be forwarded. Returns the
 * other creator's participants.
 */
const sendBeside = async (
  origin: string,
  { brevo, creator }: { brevo: Fake; creator: Client },
): Promise<string[]> => {
  brevo.keys.add(OTHER_KEY, { account: 'autre' })
  const other = await signUpCreator(origin)
  const theirs = await publishedScoreQuiz(other)
  await other.quizzes.update({ id: theirs.id, body: { consent_mode: 'requested' } })
  await other.integrations.saveBrevo({ body: { api_key: OTHER_KEY } })
  await other.integrations.setBrevo({ id: theirs.id, body: { enabled: true } })
  const asking = await publishedScoreQuiz(creator)
  await creator.quizzes.update({ id: asking.id, body: { consent_mode: 'box' } })
  await creator.integrations.setBrevo({ id: asking.id, body: { enabled: true } })
  const emails: string[] = []
  for (let rank = 0; rank < BESIDE; rank++) {
    const email = `autre${rank}@exemple.fr`
    emails.push(email)
    await submit(other, theirs, { email })
    await submit(creator, asking, {
      email: `refus${rank}@exemple.fr`,
      consent_version: rank % 2 === 0 ? 0 : null,
    })
  }
  return emails
}

const submit = async (
  client: Client,
  { id, question_id, open_id, answer_ids }: Ready,
  more: { email: string; consent_version?: number | null },
): Promise<void> => {
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: more.email }
  await client.taking.submit({ id, body: { answers, participant_uuid: randomUUID(), ...more } })
}

type Compared = { result: ScenarioResult; brevo: Fake; emails: string[]; others: string[] }

/** Checks that each participant is at the tool once, in the right account, and that there are no others. */
const compare = async ({ result, brevo, emails, others }: Compared): Promise<void> => {
  const keys = { 'xkeysib-demo': emails, [OTHER_KEY]: others }
  for (const [key, expected] of Object.entries(keys)) {
    const { contacts } = brevo.accountOf(brevo.keys.find(key)?.account ?? '')
    const held = [...contacts.values()].map(({ email }) => email)
    const there = new Set(held)
    const wanted = new Set<string | undefined>(expected)
    const missing = expected.filter((email) => !there.has(email))
    const foreign = held.filter((email) => !wanted.has(email))
    result.notes.push(`${there.size} at the account of ${key}`)
    if (missing.length > 0) addFailure(result, `${missing.length} missing at the tool`)
    if (foreign.length > 0) addFailure(result, `${foreign.length} foreign at the tool`)
    if (there.size !== held.length)
      addFailure(result, `${held.length - there.size} doubled at the tool`)
  }
}

/** Checks that the webhook received each participant, and that repeats have the id of the first attempt. */
const compareReceived = (
  result: ScenarioResult,
  receiver: FakeReceiver,
  sent: readonly string[],
): void => {
  const received = receiver.receivedAt(HOOK)
  const idOf = new Map(
    received.map(({ id, text }) => [
      (JSON.parse(text) as { data: { participant_id: string } }).data.participant_id,
      id,
    ]),
  )
  const missing = sent.filter((uuid) => !idOf.has(uuid))
  result.notes.push(`${received.length} at the webhook, of ${idOf.size} participants`)
  if (missing.length > 0) addFailure(result, `${missing.length} missing at the webhook`)
  if (idOf.size > sent.length)
    addFailure(result, `${idOf.size - sent.length} foreign at the webhook`)
  if (new Set(received.map(({ id }) => id)).size !== idOf.size)
    addFailure(result, 'a repeat has another id')
}

/** Scenarios F24: failing email tools and webhooks. */
export const vendors: Scenario[] = [
  {
    fault: 'F24',
    name: 'an email tool and a webhook fail in every way, and the process is killed meanwhile',
    engines: BOTH_ENGINES,
    rounds: { whole: 1, short: 0 },
    run: testFailingTool,
  },
]
