import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { EVERYWHERE } from '#server/testing/app/erasure-scene.ts'
import {
  automate,
  type Caller,
  connectTools,
  type OtherSides,
  startOtherSides,
} from '#server/testing/quizzes/automated-quiz.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUp } from '../../bench/creator.ts'
import { check } from '../check.ts'
import { type Installation, openInstallation } from '../installation.ts'
import { type Load, startLoad } from '../load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'
import { addressOf, compareEnds, type Erased, keyOfMail } from './outbox-ends.ts'
import {
  connectAgain,
  endLeases,
  makeDeliveriesDue,
  restoreReceivers,
  SITUATIONS,
  sendRefusedAgain,
  setReceiverState,
} from './outbox-situations.ts'

/** F30: process killed while its outbox sends all kinds of deliveries, in every state of the receivers. */

const COME = 6
/** Maximum ms between the last participant and the kill. */
const LATEST_KILL_MS = 800
const LOOK_MS = 100
const PATIENCE_MS = 300_000
const KIT_LISTS_AFTER_MS = 60_000
const NO_SESSION =
  "select from pg_stat_activity where application_name = 'quizaine' and pid <> pg_backend_pid()"

/** Labels of the two answers and of the first result, which the first answer leads to. */
const LABELS = [['Agenda rempli', 'Pas à pas'], ['Agenda libre']] as const

const rulesOf = ({ question_id, answer_ids, result_ids }: Ready) => [
  { result_id: result_ids[0] ?? '', label_name: LABELS[0][1] },
  { question_id, answer_id: answer_ids[0] ?? '', label_name: LABELS[0][0] },
  { question_id, answer_id: answer_ids[1] ?? '', label_name: LABELS[1][0] },
]

type OutboxContext = {
  installation: Installation
  sides: OtherSides
  caller: Caller
  quiz: Ready
  load: Load
  erased: Map<string, Erased>
  unwritten: Map<string, number>
}

const connected = async ({ connection }: Installation): Promise<pg.Client> => {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Erases the first and the last participant, also at the tools that received them. */
const eraseSome = async ({
  caller,
  quiz,
  load: { record },
  erased,
}: OutboxContext): Promise<void> => {
  const { participants } = caller.client
  const come = [...record.sent].filter(([, { is_acknowledged }]) => is_acknowledged)
  for (const [participantId] of [...come.slice(0, 1), ...come.slice(-1)]) {
    const id = participantId.slice(0, 8)
    const { sent_to } = await participants.ofPerson({ body: { email: addressOf(id) } })
    const tools = sent_to.tools.map(({ provider }) => provider)
    const choices = Object.fromEntries(tools.map((tool) => [tool, EVERYWHERE[tool]]))
    await participants.remove({ id: quiz.id, participantId, ...choices })
    erased.set(id, { tools, nb_webhooks: sent_to.nb_webhooks })
    record.sent.delete(participantId)
  }
}

/** Counts the mails that the mail server received without a stored note. */
const noteUnwritten = async (
  database: pg.Client,
  { sides, unwritten }: OutboxContext,
): Promise<void> => {
  const { rows } = await database.query<{ key: string }>(
    `select provider || ' ' || left(participant_uuid::text, 8) as key from deliveries
     where provider in ('mail', 'notice') and status = 'pending' and completed_calls->>'is_mailed' is null`,
  )
  const waiting = new Set(rows.map(({ key }) => key))
  const taken = new Set(sides.mails.mails.map(keyOfMail))
  for (const key of [...waiting].filter((one) => taken.has(one)))
    unwritten.set(key, (unwritten.get(key) ?? 0) + 1)
}

const kill = async (context: OutboxContext): Promise<void> => {
  const { installation } = context
  installation.product().kill('SIGKILL')
  await installation.product().exited
  const database = await connected(installation)
  while (((await database.query(NO_SESSION)).rowCount ?? 0) > 0) await pause(LOOK_MS)
  await noteUnwritten(database, context)
  await endLeases(database)
  await database.end()
}

/** Waits until no delivery is pending, and resends refused ones. */
const settle = async (context: OutboxContext, result: ScenarioResult): Promise<void> => {
  const { installation, sides, caller, quiz } = context
  // The clock of Kit advances, because Kit lists a subscriber only after a minute.
  sides.kit.clock.advance(KIT_LISTS_AFTER_MS)
  const database = await connected(installation)
  const until = performance.now() + PATIENCE_MS
  let nb_again = 0
  for (;;) {
    const left = await makeDeliveriesDue(database)
    if (performance.now() > until) {
      addFailure(result, `${left} wait still`)
      break
    }
    await pause(LOOK_MS)
    if (left > 0) continue
    const again = await sendRefusedAgain(caller, quiz.id)
    if (again === 0) break
    nb_again += again
  }
  await database.end()
  result.notes.push(`${nb_again} refused and sent again`)
}

const compare = async (context: OutboxContext, result: ScenarioResult): Promise<void> => {
  const { installation, sides, caller, quiz, load, erased, unwritten } = context
  const kept = new Map(
    [...load.record.sent].map(([id, { choice }]) => [
      id.slice(0, 8),
      [...(LABELS[choice] ?? [])].toSorted(),
    ]),
  )
  compareEnds(result, sides, { kept, erased, unwritten })
  const { erasures } = await caller.client.erasures.list({ id: quiz.id })
  const unanswered = erasures.filter(({ status, message }) => status !== 'done' || !message)
  for (const { provider, status, message } of unanswered)
    addFailure(result, `an erasure at ${provider} is ${status}: ${message}`)
  result.notes.push(`${erased.size} erased, ${erasures.length} answers in the ledger`)
  const checked = await check(installation, { quiz, log: load.record })
  Object.assign(result, {
    acknowledged: checked.acknowledged,
    lost: checked.lost,
    doubled: checked.doubled,
  })
  addFailure(result, ...checked.wrong, ...load.record.wrong)
}

const killInEverySituation = async ({
  engine,
  rounds,
}: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  const sides = await startOtherSides()
  const installation = await openInstallation({ engine, env: sides.env })
  try {
    const { origin } = await installation.start()
    const caller = { origin, ...(await signUp(origin)) }
    const quiz = await publishedScoreQuiz(caller.client)
    await connectTools(sides, caller)
    await automate(sides, caller, { id: quiz.id, rules: rulesOf(quiz) })
    const load = startLoad({ origin, quiz, client: caller.client, visitors: 1, think_ms: 100 })
    const context = { installation, sides, caller, quiz, load, erased: new Map<string, Erased>() }
    const whole: OutboxContext = { ...context, unwritten: new Map() }
    const nbAcknowledged = () =>
      [...load.record.sent.values()].filter(({ is_acknowledged }) => is_acknowledged).length
    for (; result.rounds < rounds; result.rounds++) {
      const situation = SITUATIONS[result.rounds % SITUATIONS.length] ?? 'healthy'
      setReceiverState(sides, situation)
      const enough = nbAcknowledged() + COME
      while (nbAcknowledged() < enough) await pause(5)
      await eraseSome(whole)
      await pause(Math.random() * LATEST_KILL_MS)
      await kill(whole)
      restoreReceivers(sides)
      await installation.start()
      if (situation === 'revoked') await connectAgain(sides, caller)
    }
    await load.finish()
    const ended = performance.now()
    await settle(whole, result)
    result.recoveries.push(performance.now() - ended)
    await compare(whole, result)
  } finally {
    await installation.cleanUp()
    await sides.close()
  }
  return result
}

/** The short run uses one engine, because the engines do not differ here. */
export const outboxKills: Scenario[] = BOTH_ENGINES.map((engine) => ({
  fault: 'F30',
  name: 'kill -9 while labels, webhooks, mails and erasures are under way: healthy, slow, down, refusing, revoked',
  engines: [engine],
  rounds: { whole: 10, short: engine === 'embedded' ? 5 : 0 },
  run: killInEverySituation,
}))
