import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { type FakeReceiver, startReceiver } from '#server/testing/fakes/webhook-receiver.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { openInstallation } from '../runner/installation.ts'
import { startLoad } from '../runner/load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'

/** F24: an email tool and a webhook fail while the product is killed and restarted. */

const NB_PARTICIPANTS = 1_000
const TIMEOUT_MS = 600_000
const NB_KILLS = 3

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

const failIntegrations = async ({ engine }: ScenarioOptions): Promise<ScenarioResult> => {
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
    const other_emails = await submitOthers(origin, { brevo, creator })
    const load = startLoad({ origin, quiz, client: creator, visitors: 16, think_ms: 1 })
    const { submissions } = load.log
    const began = performance.now()
    for (let kill = 1; kill <= NB_KILLS; kill++) {
      failNextCalls(brevo)
      failNextWebhookCalls(receiver)
      while (submissions.size < (NB_PARTICIPANTS * kill) / (NB_KILLS + 1)) await pause(5)
      installation.product().kill('SIGKILL')
      await installation.product().exited
      await installation.start()
      result.rounds++
    }
    while (submissions.size < NB_PARTICIPANTS) await pause(5)
    await load.finish()
    const ended = performance.now()
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
      // Waiting deliveries are made due now, so that the scenario need not wait for their retry delays.
      await connected.query(
        "update deliveries set next_attempt_at = now() where status = 'pending'",
      )
      if (performance.now() - ended > TIMEOUT_MS) break
      await pause(500)
    }
    const nb_left = await nbWaiting()
    if (nb_left > 0) addFailure(result, `${nb_left} deliveries are still pending`)
    result.recovery_times_ms.push(performance.now() - ended)
    await checkTool({
      result,
      brevo,
      emails: [...submissions.keys()].map((id) => `p${id.slice(0, 8)}@exemple.fr`),
      others: other_emails,
    })
    checkWebhook(result, receiver, [...submissions.keys()])
    const comparison = await compareWithDatabase(installation, { quiz, log: load.log })
    result.nb_acknowledged = comparison.nb_acknowledged
    result.nb_lost += comparison.nb_lost
    result.nb_duplicated += comparison.nb_duplicated
    addFailure(result, ...comparison.failures, ...load.log.failures)
    result.notes.push(`${Math.round((ended - began) / 1_000)} s of submissions, ${NB_KILLS} kills`)
  } finally {
    await client?.end()
    await installation.cleanUp()
    await Promise.all([brevo.close(), receiver.close()])
  }
  return result
}

const OTHER_KEY = 'xkeysib-other'
const NB_OTHERS = 50

/**
 * Submits participants of another creator, and participants without consent, who must not be sent to the tool. Returns
 * the addresses of the other creator's participants.
 */
const submitOthers = async (
  origin: string,
  { brevo, creator }: { brevo: Fake; creator: Client },
): Promise<string[]> => {
  brevo.keys.add(OTHER_KEY, { account: 'autre' })
  const other = await signUpCreator(origin)
  const other_quiz = await publishedScoreQuiz(other)
  await other.quizzes.update({ id: other_quiz.id, body: { consent_mode: 'requested' } })
  await other.integrations.saveBrevo({ body: { api_key: OTHER_KEY } })
  await other.integrations.setBrevo({ id: other_quiz.id, body: { enabled: true } })
  const quiz_with_box = await publishedScoreQuiz(creator)
  await creator.quizzes.update({ id: quiz_with_box.id, body: { consent_mode: 'box' } })
  await creator.integrations.setBrevo({ id: quiz_with_box.id, body: { enabled: true } })
  const emails: string[] = []
  for (let rank = 0; rank < NB_OTHERS; rank++) {
    const email = `autre${rank}@exemple.fr`
    emails.push(email)
    await submit(other, other_quiz, { email })
    await submit(creator, quiz_with_box, {
      email: `refus${rank}@exemple.fr`,
      consent_version: rank % 2 === 0 ? 0 : null,
    })
  }
  return emails
}

const submit = async (
  client: Client,
  { id, question_id, open_id, answer_ids }: SampleQuiz,
  more: { email: string; consent_version?: number | null },
): Promise<void> => {
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: more.email }
  await client.publicQuiz.submit({ id, body: { answers, participant_uuid: randomUUID(), ...more } })
}

type ToolCheck = { result: ScenarioResult; brevo: Fake; emails: string[]; others: string[] }

/** Checks that each account of the tool has its expected contacts once, and no other contacts. */
const checkTool = async ({ result, brevo, emails, others }: ToolCheck): Promise<void> => {
  const keys = { 'xkeysib-demo': emails, [OTHER_KEY]: others }
  for (const [key, expected] of Object.entries(keys)) {
    const { contacts } = brevo.accountOf(brevo.keys.find(key)?.account ?? '')
    const stored_emails = [...contacts.values()].map(({ email }) => email)
    const stored = new Set(stored_emails)
    const expected_emails = new Set<string | undefined>(expected)
    const missing = expected.filter((email) => !stored.has(email))
    const unexpected = stored_emails.filter((email) => !expected_emails.has(email))
    result.notes.push(`${stored.size} contacts in the account of ${key}`)
    if (missing.length > 0)
      addFailure(result, `${missing.length} participants are missing at the tool`)
    if (unexpected.length > 0)
      addFailure(result, `${unexpected.length} unexpected contacts at the tool`)
    if (stored.size !== stored_emails.length)
      addFailure(result, `${stored_emails.length - stored.size} duplicated contacts at the tool`)
  }
}

/** Checks that the webhook received each participant, and that repeated deliveries have an unchanged id. */
const checkWebhook = (
  result: ScenarioResult,
  receiver: FakeReceiver,
  submissions: readonly string[],
): void => {
  const received = receiver.receivedAt(HOOK)
  const idOf = new Map(
    received.map(({ id, text }) => [
      (JSON.parse(text) as { data: { participant_id: string } }).data.participant_id,
      id,
    ]),
  )
  const missing = submissions.filter((uuid) => !idOf.has(uuid))
  result.notes.push(`${received.length} webhook deliveries for ${idOf.size} participants`)
  if (missing.length > 0)
    addFailure(result, `${missing.length} participants are missing at the webhook`)
  if (idOf.size > submissions.length)
    addFailure(result, `${idOf.size - submissions.length} unexpected participants at the webhook`)
  if (new Set(received.map(({ id }) => id)).size !== idOf.size)
    addFailure(result, 'a repeated delivery has another id')
}

/** Scenario F24: a failing email tool and a failing webhook. */
export const failingIntegrations: Scenario[] = [
  {
    fault: 'F24',
    name: `an email tool and a webhook fail in many ways, and the product is killed ${NB_KILLS} times; each participant must arrive once`,
    engines: BOTH_ENGINES,
    rounds: { full: 1, short: 0 },
    run: failIntegrations,
  },
]
