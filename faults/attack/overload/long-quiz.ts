import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { assertPrecondition } from '../runner/attack.ts'
import { submit } from '../runner/requests.ts'

/** Published questionnaire that asks for a name and for long texts, and whose report shows the replies. */
export type LongQuiz = { id: string; name_id: string; long_ids: string[] }

const MAX_REPLY = 10_000
/** Number of long replies whose report costs as much as a document may. */
const MAX_LONG_REPLIES = 4

/** Publishes a questionnaire with a report, and with `count` questions that ask for a long text. */
export const publishLongQuiz = async (
  client: Client,
  count = MAX_LONG_REPLIES,
): Promise<LongQuiz> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Récits', type: 'sondage' } })
  const { id } = quiz
  const name_id = randomUUID()
  const long_ids = Array.from({ length: count }, () => randomUUID())
  const name = {
    id: name_id,
    text: 'Votre nom ?',
    type: 'text',
    contact_role: 'first_name',
  } as const
  const long = long_ids.map(
    (long_id, rank) =>
      ({ id: long_id, text: `Racontez (${rank + 1}).`, type: 'textarea' }) as const,
  )
  const questions = [name, ...long].map((question) => ({ ...question, is_required: false }))
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.update({ id, body: { report: 'replies' } })
  await client.quizzes.publish({ id })
  return { id, name_id, long_ids }
}

/** Submits replies of maximum length that repeat `unit`. Returns the id of the participant and the path of the report. */
export const submitLongReplies = async (
  { origin }: { origin: string },
  { id, name_id, long_ids }: LongQuiz,
  {
    name = 'Ada',
    unit,
    network = '203.0.113.40',
  }: { name?: string; unit: string; network?: string },
): Promise<{ participant_uuid: string; report: string }> => {
  const text = unit.repeat(MAX_REPLY).slice(0, MAX_REPLY)
  const answers = Object.fromEntries(long_ids.map((long_id) => [long_id, text]))
  const answer = await submit(origin, id, { answers: { ...answers, [name_id]: name } }, network)
  const { participant_uuid, documents } = answer.json as {
    participant_uuid?: string
    documents?: { report?: string }
  }
  assertPrecondition(
    participant_uuid !== undefined && documents?.report !== undefined,
    `a submission gives no report (${answer.status})`,
  )
  return { participant_uuid: participant_uuid ?? '', report: documents?.report ?? '' }
}
