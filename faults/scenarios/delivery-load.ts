import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { LIST_LAG_MS } from '#server/testing/fakes/kit-subscribers.ts'
import type {
  ExternalServices,
  SignedInCreator,
} from '#server/testing/quizzes/external-services.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Installation } from '../runner/installation.ts'
import type { Load } from '../runner/load.ts'
import { addFailure, type ScenarioResult } from '../runner/scenario.ts'
import { makeDeliveriesDue, retryRefusedDeliveries } from './receiver-states.ts'

/** Deliveries under load: a quiz whose answers give labels at the tools, and the wait until all are sent. */

const POLL_MS = 100
const MAX_WAIT_MS = 300_000
/** Advance of the fake clock, longer than the list delay of the fake Kit (`LIST_LAG_MS`). */
const CLOCK_ADVANCE_MS = 2 * LIST_LAG_MS

/** Expected labels by answer. The first answer gives the first result, which adds a second label. */
const LABELS = [['Agenda rempli', 'Pas à pas'], ['Agenda libre']] as const

/** Returns the rules that give the labels of LABELS. */
export const rulesOf = ({ question_id, answer_ids, result_ids }: SampleQuiz) => [
  { result_id: result_ids[0] ?? '', label_name: LABELS[0][1] },
  { question_id, answer_id: answer_ids[0] ?? '', label_name: LABELS[0][0] },
  { question_id, answer_id: answer_ids[1] ?? '', label_name: LABELS[1][0] },
]

/** Returns the sorted labels that each participant of a load must have, by the first 8 digits of the id. */
export const expectedLabels = ({ log }: Load): Map<string, string[]> =>
  new Map(
    [...log.submissions].map(([id, { choice }]) => [
      id.slice(0, 8),
      [...(LABELS[choice] ?? [])].toSorted(),
    ]),
  )

/** Parts of a scenario that sends deliveries. */
export type DeliveryContext = {
  installation: Installation
  receivers: ExternalServices
  caller: SignedInCreator
  quiz: SampleQuiz
}

/** Connects to the database of an installation. */
export const connectToDatabase = async ({ connection }: Installation): Promise<pg.Client> => {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Waits until no delivery is pending. Refused deliveries are repeated. */
export const waitForDeliveries = async (
  { installation, receivers, caller, quiz }: DeliveryContext,
  result: ScenarioResult,
): Promise<void> => {
  // The fake Kit lists a new subscriber only after a delay.
  receivers.kit.clock.advance(CLOCK_ADVANCE_MS)
  const database = await connectToDatabase(installation)
  const deadline = performance.now() + MAX_WAIT_MS
  let nb_repeated = 0
  for (;;) {
    const nb_pending = await makeDeliveriesDue(database)
    if (performance.now() > deadline) {
      addFailure(result, `${nb_pending} deliveries are still pending`)
      break
    }
    await pause(POLL_MS)
    if (nb_pending > 0) continue
    const nb_now = await retryRefusedDeliveries(caller, quiz.id)
    if (nb_now === 0) break
    nb_repeated += nb_now
  }
  await database.end()
  result.notes.push(`${nb_repeated} refused deliveries repeated`)
}
