import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { ERASURE_CHOICES } from '#server/testing/app/erasure-scene.ts'
import {
  connectTools,
  type ExternalServices,
  enableAutomations,
  type SignedInCreator,
  startExternalServices,
} from '#server/testing/quizzes/external-services.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUp } from '../../bench/creator.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { type Installation, openInstallation } from '../runner/installation.ts'
import { type Load, startLoad } from '../runner/load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'
import {
  addressOf,
  compareReceivers,
  type ErasedParticipant,
  keyOfMail,
} from './compare-receivers.ts'
import { connectToDatabase, expectedLabels, rulesOf, waitForDeliveries } from './delivery-load.ts'
import {
  endLeases,
  RECEIVER_STATES,
  reconnectAccounts,
  restoreReceivers,
  setReceiverState,
} from './receiver-states.ts'

/** Number of submissions before each kill. */
const NB_SUBMISSIONS = 6
/** Maximum milliseconds between the last submission and the kill. */
const MAX_KILL_DELAY_MS = 800
const POLL_MS = 100
/** Query for remaining database sessions of the product. */
const SESSIONS_QUERY =
  "select from pg_stat_activity where application_name = 'quizaine' and pid <> pg_backend_pid()"

/** State of the scenario. */
type OutboxContext = {
  installation: Installation
  receivers: ExternalServices
  caller: SignedInCreator
  quiz: SampleQuiz
  load: Load
  erased: Map<string, ErasedParticipant>
  unrecorded_mails: Map<string, number>
}

/** Erases the first and the last participant in the product and at the tools that received them. */
const eraseFirstAndLast = async ({
  caller,
  quiz,
  load: { log },
  erased,
}: OutboxContext): Promise<void> => {
  const { participants } = caller.client
  const acknowledged = [...log.submissions].filter(([, { is_acknowledged }]) => is_acknowledged)
  for (const [participantId] of [...acknowledged.slice(0, 1), ...acknowledged.slice(-1)]) {
    const id = participantId.slice(0, 8)
    const { sent_to } = await participants.ofPerson({ body: { email: addressOf(id) } })
    const tools = sent_to.tools.map(({ provider }) => provider)
    const choices = Object.fromEntries(tools.map((tool) => [tool, ERASURE_CHOICES[tool]]))
    await participants.remove({ id: quiz.id, participantId, ...choices })
    erased.set(id, { tools, nb_webhooks: sent_to.nb_webhooks })
    log.submissions.delete(participantId)
  }
}

/** Counts the mails that the mail server accepted but that are not yet recorded as sent in the database. */
const recordUnrecordedMails = async (
  database: pg.Client,
  { receivers, unrecorded_mails }: OutboxContext,
): Promise<void> => {
  const { rows } = await database.query<{ key: string }>(
    `select provider || ' ' || left(participant_uuid::text, 8) as key from deliveries
     where provider in ('mail', 'notice') and status = 'pending' and completed_calls->>'is_mailed' is null`,
  )
  const waiting = new Set(rows.map(({ key }) => key))
  const accepted = new Set(receivers.mails.mails.map(keyOfMail))
  for (const key of [...waiting].filter((waiting_key) => accepted.has(waiting_key)))
    unrecorded_mails.set(key, (unrecorded_mails.get(key) ?? 0) + 1)
}

/** Kills the product, waits until its database sessions have ended, and ends its leases. */
const kill = async (context: OutboxContext): Promise<void> => {
  const { installation } = context
  installation.product().kill('SIGKILL')
  await installation.product().exited
  const database = await connectToDatabase(installation)
  while (((await database.query(SESSIONS_QUERY)).rowCount ?? 0) > 0) await pause(POLL_MS)
  await recordUnrecordedMails(database, context)
  await endLeases(database)
  await database.end()
}

const checkReceivers = async (context: OutboxContext, result: ScenarioResult): Promise<void> => {
  const { installation, receivers, caller, quiz, load, erased, unrecorded_mails } = context
  const remaining = expectedLabels(load)
  compareReceivers(result, receivers, { remaining, erased, unrecorded_mails })
  const { erasures } = await caller.client.erasures.list({ id: quiz.id })
  const unanswered = erasures.filter(({ status, message }) => status !== 'done' || !message)
  for (const { provider, status, message } of unanswered)
    addFailure(result, `an erasure at ${provider} has the status ${status}: ${message}`)
  result.notes.push(`${erased.size} participants erased, ${erasures.length} erasures recorded`)
  const comparison = await compareWithDatabase(installation, { quiz, log: load.log })
  Object.assign(result, {
    nb_acknowledged: comparison.nb_acknowledged,
    nb_lost: comparison.nb_lost,
    nb_duplicated: comparison.nb_duplicated,
  })
  addFailure(result, ...comparison.failures, ...load.log.failures)
}

const killInEveryState = async ({ engine, rounds }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  const receivers = await startExternalServices()
  const installation = await openInstallation({ engine, env: receivers.env })
  try {
    const { origin } = await installation.start()
    const caller = { origin, ...(await signUp(origin)) }
    const quiz = await publishedScoreQuiz(caller.client)
    await connectTools(receivers, caller)
    await enableAutomations(receivers, caller, { id: quiz.id, rules: rulesOf(quiz) })
    const load = startLoad({ origin, quiz, client: caller.client, visitors: 1, think_ms: 100 })
    const context = {
      installation,
      receivers,
      caller,
      quiz,
      load,
      erased: new Map<string, ErasedParticipant>(),
    }
    const scenario_context: OutboxContext = { ...context, unrecorded_mails: new Map() }
    const nbAcknowledged = () =>
      [...load.log.submissions.values()].filter(({ is_acknowledged }) => is_acknowledged).length
    for (; result.rounds < rounds; result.rounds++) {
      const state = RECEIVER_STATES[result.rounds % RECEIVER_STATES.length] ?? 'healthy'
      setReceiverState(receivers, state)
      const target = nbAcknowledged() + NB_SUBMISSIONS
      while (nbAcknowledged() < target) await pause(5)
      await eraseFirstAndLast(scenario_context)
      await pause(Math.random() * MAX_KILL_DELAY_MS)
      await kill(scenario_context)
      restoreReceivers(receivers)
      await installation.start()
      if (state === 'revoked') await reconnectAccounts(receivers, caller)
    }
    await load.finish()
    const ended = performance.now()
    await waitForDeliveries(scenario_context, result)
    result.recovery_times_ms.push(performance.now() - ended)
    await checkReceivers(scenario_context, result)
  } finally {
    await installation.cleanUp()
    await receivers.close()
  }
  return result
}

/** Scenario F35: the product is killed during deliveries. The short run uses one engine, because both behave equally here. */
export const killedDeliveries: Scenario[] = BOTH_ENGINES.map((engine) => ({
  fault: 'F35',
  name: 'the product is killed (SIGKILL) during deliveries and erasures while receivers are healthy, slow, down, refusing or revoked; each participant must arrive once',
  engines: [engine],
  rounds: { full: 10, short: engine === 'embedded' ? 5 : 0 },
  run: killInEveryState,
}))
