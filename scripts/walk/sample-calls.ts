import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { NO_CHANGES } from '#domain/editing/changes.ts'
import type { FakeBrevo } from '#server/testing/fakes/brevo.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../http-client.ts'
import type { PreparedCall } from './entered-functions.ts'

/** A call whose files are listed. */
export type SampleCall = PreparedCall & { name: string }

/** Time after the answer of a tool within which the worker has written the outcome, which waits 20 ms for others. */
const SETTLE_MS = 150
/** Time after a delivery until the worker looks for due deliveries once a second again. */
const IDLE_WORKER_MS = 300
const DELIVERED_WITHIN_MS = 10_000

/** Publishes a quiz by score that forwards to Brevo, and returns the five calls that are measured on this quiz. */
export const createSampleCalls = async (
  origin: string,
  brevo: FakeBrevo,
): Promise<readonly SampleCall[]> => {
  const creator = clientOf(origin, await signUp(origin))
  const visitor = clientOf(origin)
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(creator)
  const [answer_id = ''] = answer_ids
  await creator.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  await creator.integrations.setBrevo({ id, body: { enabled: true } })
  let revision = 0
  let score = 0

  const readRevision = async (): Promise<void> => {
    revision = (await creator.drafts.get({ id })).revision
  }
  const saveScore = async (): Promise<void> => {
    score = (score % 4) + 1
    const answers = [{ id: answer_id, question_id, score }]
    const body = { ...NO_CHANGES, answers, based_on: revision }
    await creator.drafts.save({ id, body })
  }
  const changeDraft = async (): Promise<void> => {
    await readRevision()
    await saveScore()
  }
  const submit = async (): Promise<unknown> => {
    const email = `${randomUUID()}@exemple.fr`
    const answers = { [question_id]: answer_id, [open_id]: email }
    return visitor.publicQuiz.submit({
      id,
      body: { answers, email, participant_uuid: randomUUID() },
    })
  }
  let nb_calls_before = 0
  const submitOne = async (): Promise<void> => {
    nb_calls_before = brevo.journal.length
    await submit()
  }
  const waitForDelivery = async (): Promise<void> => {
    const deadline = performance.now() + DELIVERED_WITHIN_MS
    while (brevo.journal.length === nb_calls_before) {
      if (performance.now() > deadline) throw new Error('No delivery reached the tool')
      await pause(10)
    }
    await pause(SETTLE_MS)
  }
  const submitAndDeliver = async (): Promise<void> => {
    await submitOne()
    await waitForDelivery()
    await pause(IDLE_WORKER_MS)
  }

  return [
    { name: 'autosave of a typed score', prepare: readRevision, call: saveScore },
    { name: 'submission', prepare: submitAndDeliver, call: submit },
    {
      name: 'statistics',
      prepare: submitAndDeliver,
      call: () => creator.statistics.responses({ id }),
    },
    { name: 'publication', prepare: changeDraft, call: () => creator.quizzes.publish({ id }) },
    { name: 'delivery', prepare: submitOne, call: waitForDelivery },
  ]
}
