import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'
import {
  type Answer,
  type Attacker,
  callAs,
  countStatuses,
  createAttacker,
  inDatabase,
  judgeAnswers,
  measureAttack,
  publishLongQuiz,
  submitLong,
} from './heavy-scenes.ts'

/** Texts whose documents cost most: two scripts that are shaped, and a mark that divides each word. */
const COSTLY_UNITS = ['नमस्ते ', 'نص طويل ', 'a\u200f']
const NB_LINKS = 12
const NB_CALLS = 60
const NETWORK = '203.0.113.40'
/** Limit of time of a document, with the time of a slow machine. */
const MAX_OWN_DOCUMENT_MS = 40_000

/** Publishes a questionnaire and submits long replies. Returns its participants with the paths of their reports. */
const createReports = async ({ site, client }: Attacker, count: number) => {
  const quiz = await publishLongQuiz(client)
  const participants: { participant_uuid: string; report: string }[] = []
  for (let rank = 0; rank < count; rank++)
    participants.push(
      await submitLong(site, quiz, {
        unit: COSTLY_UNITS[rank % COSTLY_UNITS.length] ?? 'a',
        network: `192.0.2.${rank}`,
      }),
    )
  return { quiz, participants }
}

/** Asks for the reports of a questionnaire as one visitor, more often than the queue holds. */
const fillQueueAsVisitor = async (context: AttackContext): Promise<string[]> => {
  const attacker = await createAttacker(context)
  const { site } = attacker
  const { participants } = await createReports(attacker, NB_LINKS)
  const links = participants.map(({ report }) => report)
  const { value, successes } = await measureAttack(context, () =>
    Promise.all(
      Array.from({ length: NB_CALLS }, (_, nr) =>
        callAs(site, { path: links[nr % links.length] ?? '', network: NETWORK }),
      ),
    ),
  )
  context.note(countStatuses(value))
  return [...successes, ...judgeAnswers(value)]
}

/** Creates a link for a document of a creator and downloads it. */
const downloadDocument = async (
  { site, access_token: token }: Attacker,
  id: string,
  order: object,
): Promise<Answer> => {
  const path = `/api/v1/quizzes/${id}/documents`
  const link = await callAs(site, { method: 'POST', path, body: order, token })
  if (link.status !== 200 && link.status !== 201) return link
  const { url } = JSON.parse(link.bytes.toString()) as { url: string }
  return callAs(site, { path: url, network: NETWORK })
}

const fillQueueAsCreator = async (context: AttackContext): Promise<string[]> => {
  const attacker = await createAttacker(context)
  const { quiz, participants } = await createReports(attacker, NB_LINKS)
  const { value, successes } = await measureAttack(context, () =>
    Promise.all(
      Array.from({ length: NB_CALLS }, (_, nr) => {
        const participant_uuid = participants[nr % NB_LINKS]?.participant_uuid ?? ''
        return downloadDocument(attacker, quiz.id, { file: 'report', participant_uuid })
      }),
    ),
  )
  context.note(countStatuses(value))
  return [...successes, ...judgeAnswers(value)]
}

/** Asks for the report of replies that are only marks. A refusal is final and is not tried again. */
const drawMarks = async (context: AttackContext): Promise<string[]> => {
  const { site, client } = await createAttacker(context)
  const quiz = await publishLongQuiz(client)
  const { report } = await submitLong(site, quiz, { unit: 'a\u200f' })
  const { value, successes } = await measureAttack(context, () =>
    callAs(site, { path: report, network: NETWORK }),
  )
  const { status, ms, retry_after, type } = value
  context.note(`${status} in ${Math.round(ms)} ms`)
  await pause(2_000)
  const nb_running = await site.countRunning('document')
  return [
    ...successes,
    ...(status === 200 || status === 422 ? [] : [`the report is answered ${status}`]),
    ...(status === 422 && retry_after > 0 ? ['a document beyond its limit asks for a retry'] : []),
    ...(ms > MAX_OWN_DOCUMENT_MS ? [`the report takes ${Math.round(ms)} ms`] : []),
    ...(status === 200 && type !== 'application/pdf' ? [`the report is ${type}`] : []),
    ...(nb_running > 0 ? [`${nb_running} documents still run`] : []),
  ]
}

const NB_ZIPPED = 6
const BROKEN_NAME = 'Personne sans document'

/**
 * Gives one participant a version whose end page is damaged, as a faulty disk may leave it, so that the report cannot be
 * made.
 */
const breakReport = (site: MeasuredSite, participant_uuid: string): Promise<void> =>
  inDatabase(site, async (database) => {
    await database.query(
      `insert into quiz_versions (quiz_id, version, snapshot, image_ids, choice_questions, text_questions, nb_responses)
       select quiz_id, 99, jsonb_set(snapshot, '{quiz,end_text}', '{"broken": true}'), image_ids, choice_questions,
         text_questions, 1
       from quiz_versions join responses using (quiz_id, version) where participant_uuid = $1`,
      [participant_uuid],
    )
    const { rowCount } = await database.query(
      'update responses set version = 99 where participant_uuid = $1',
      [participant_uuid],
    )
    assertPrecondition(rowCount === 1, 'one participant has a damaged version')
  })

/** Makes a ZIP in which one document cannot be made. */
const zipBrokenDocument = async (context: AttackContext): Promise<string[]> => {
  const attacker = await createAttacker(context)
  const { site, client } = attacker
  const quiz = await publishLongQuiz(client)
  for (let rank = 1; rank < NB_ZIPPED; rank++)
    await submitLong(site, quiz, { name: `Ada ${rank}`, unit: 'a ', network: `192.0.2.${rank}` })
  const broken = await submitLong(site, quiz, { name: BROKEN_NAME, unit: 'a ' })
  await breakReport(site, broken.participant_uuid)
  const { value, successes } = await measureAttack(context, () =>
    downloadDocument(attacker, quiz.id, { file: 'zip' }),
  )
  const text = value.bytes.toString('latin1')
  const nb_documents = (text.match(/%PDF-/g) ?? []).length
  const list = value.bytes.toString().split('Ces documents n’ont pas été créés')[1]
  context.note(`${value.status} in ${Math.round(value.ms)} ms, ${nb_documents} documents`)
  return [
    ...successes,
    ...(value.status === 200 ? [] : [`the ZIP is answered ${value.status}`]),
    ...(nb_documents === NB_ZIPPED - 1 ? [] : [`the ZIP has ${nb_documents} documents`]),
    ...(list?.includes(BROKEN_NAME) ? [] : ['the list does not name the missing document']),
  ]
}

const NB_REPORTS = 6
const LINES_PER_TEXT = 480

/** Publishes a questionnaire whose report shows the longest texts of a creator. */
const publishLongTexts = async ({
  client,
}: Attacker): Promise<{ id: string; reply_id: string }> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Listes', type: 'sondage' } })
  const { id } = quiz
  const reply_id = randomUUID()
  const list = '- a\n'.repeat(LINES_PER_TEXT)
  await client.questions.saveDraft({
    id,
    body: {
      questions: [{ id: reply_id, text: 'Et vous ?', type: 'textarea', is_required: false }],
      text_blocks: Array.from({ length: 20 }, (_, rank) => ({
        id: randomUUID(),
        content: `${rank}\n\n${list}`,
        page_number: 2,
      })),
    },
  })
  const end_text = '**gras** _penché_ [lien](https://exemple.fr) '
    .repeat(100)
    .slice(0, LIMITS.description)
  await client.quizzes.update({ id, body: { report: 'replies', end_text } })
  await client.quizzes.publish({ id })
  return { id, reply_id }
}

const reportLongTexts = async (context: AttackContext): Promise<string[]> => {
  const attacker = await createAttacker(context)
  const { site } = attacker
  const { id, reply_id } = await publishLongTexts(attacker)
  const reports: string[] = []
  for (let rank = 0; rank < NB_REPORTS; rank++) {
    const answer = await callAs(site, {
      method: 'POST',
      path: `/api/v1/quizzes/${id}/submit`,
      body: { answers: { [reply_id]: 'é'.repeat(10_000) } },
      network: `192.0.2.${rank}`,
    })
    const { documents } = JSON.parse(answer.bytes.toString()) as {
      documents?: { report?: string }
    }
    assertPrecondition(documents?.report !== undefined, 'the submission gives a report')
    reports.push(documents?.report ?? '')
  }
  const { value, successes } = await measureAttack(context, () =>
    Promise.all(
      reports.map((path, rank) => callAs(site, { path, network: `192.0.2.${rank + 100}` })),
    ),
  )
  context.note(countStatuses(value))
  const nb_written = value.filter(({ status }) => status === 200).length
  return [
    ...successes,
    ...judgeAnswers(value),
    ...(nb_written === 0 ? ['no report was written'] : []),
  ]
}

/** Attacks on the writing of documents. */
export const documentQueues: Attack[] = [
  { name: 'one visitor fills the queue of documents', run: fillQueueAsVisitor },
  { name: 'one creator fills the queue of documents', run: fillQueueAsCreator },
  { name: 'a report of right-to-left marks is never tried again', run: drawMarks },
  { name: 'a ZIP with a document that cannot be made', run: zipBrokenDocument },
  { name: '6 reports of long texts at once', run: reportLongTexts },
]
