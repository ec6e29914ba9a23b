import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { describeStatuses, findBadRefusals, findExcesses } from '../runner/limits.ts'
import type { Account } from '../runner/measured-site.ts'
import { type Answer, MAX_QUEUED_ANSWER_MS, send, submit } from '../runner/requests.ts'
import { damageReport } from './database-rows.ts'
import { publishLongQuiz, submitLongReplies } from './long-quiz.ts'
import { measureAttack } from './measure-attack.ts'

/** Texts whose documents cost most: two scripts that are shaped, and a mark that divides each word. */
const COSTLY_UNITS = ['नमस्ते ', 'نص طويل ', 'a\u200f']
const NB_REPORTS = 12
const NB_CALLS = 60
const DOCUMENT_NETWORK = '203.0.113.40'
/** Maximum time of a document of the attacker, including the delay of a slow machine. */
const DOCUMENT_LIMITS = { answer_ms: 40_000 }

/** Publishes a questionnaire and submits long replies. Returns its participants with the paths of their reports. */
const createReports = async ({ site, client }: Account) => {
  const quiz = await publishLongQuiz(client)
  const participants: { participant_uuid: string; report: string }[] = []
  for (let rank = 0; rank < NB_REPORTS; rank++)
    participants.push(
      await submitLongReplies(site, quiz, {
        unit: COSTLY_UNITS[rank % COSTLY_UNITS.length] ?? 'a',
        network: `192.0.2.${rank}`,
      }),
    )
  return { quiz, participants }
}

/** Reads a document as a visitor or with a download link. */
const readDocument = (
  { site }: Account,
  path: string,
  network = DOCUMENT_NETWORK,
): Promise<Answer> => send(site.origin + path, { network, timeout_ms: MAX_QUEUED_ANSWER_MS })

/** Creates a link for a document of a creator and downloads it. Returns the refusal if no link is created. */
const downloadDocument = async (account: Account, id: string, body: object): Promise<Answer> => {
  const link = await account.call(`/api/v1/quizzes/${id}/documents`, { body })
  return link.status > 201 ? link : readDocument(account, String(link.json.url))
}

/** Reads documents at once while others use the product. Returns the answers and the successes of the attacker. */
const readAtOnce = async (
  context: AttackContext,
  count: number,
  read: (nr: number) => Promise<Answer>,
) => {
  const { value: answers, successes } = await measureAttack(context, () =>
    Promise.all(Array.from({ length: count }, (_, nr) => read(nr))),
  )
  context.note(describeStatuses(answers))
  return { answers, successes: [...successes, ...findBadRefusals(answers)] }
}

/** Asks for the reports of a questionnaire as one visitor, more often than the queue holds. */
const fillQueueAsVisitor = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { participants } = await createReports(account)
  const { successes } = await readAtOnce(context, NB_CALLS, (nr) =>
    readDocument(account, participants[nr % NB_REPORTS]?.report ?? ''),
  )
  return successes
}

const fillQueueAsCreator = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { quiz, participants } = await createReports(account)
  const { successes } = await readAtOnce(context, NB_CALLS, (nr) => {
    const participant_uuid = participants[nr % NB_REPORTS]?.participant_uuid ?? ''
    return downloadDocument(account, quiz.id, { file: 'report', participant_uuid })
  })
  return successes
}

/** Asks for the report of replies that are only marks. A refusal is final and is not tried again. */
const drawMarks = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { site, client } = account
  const quiz = await publishLongQuiz(client)
  const { report } = await submitLongReplies(site, quiz, { unit: 'a\u200f' })
  const { value, successes } = await measureAttack(context, () => readDocument(account, report))
  const { status, ms, headers } = value
  context.note(`${status} in ${Math.round(ms)} ms`)
  await pause(2_000)
  const nb_running = await site.countRunning('document')
  const isRetried = status === 422 && Number(headers.get('retry-after')) > 0
  const isPdf = headers.get('content-type') === 'application/pdf'
  return [
    ...successes,
    ...(status === 200 || status === 422 ? [] : [`the report is answered ${status}`]),
    ...(isRetried ? ['a document beyond its limit asks for a retry'] : []),
    ...findExcesses({ answer_ms: ms }, DOCUMENT_LIMITS),
    ...(status === 200 && !isPdf ? ['the report is not a PDF'] : []),
    ...(nb_running > 0 ? [`${nb_running} documents still run`] : []),
  ]
}

const NB_ZIPPED = 6
const BROKEN_NAME = 'Personne sans document'

/** Makes a ZIP in which one document cannot be made. */
const zipBrokenDocument = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { site, client } = account
  const quiz = await publishLongQuiz(client)
  for (let rank = 1; rank < NB_ZIPPED; rank++)
    await submitLongReplies(site, quiz, {
      name: `Ada ${rank}`,
      unit: 'a ',
      network: `192.0.2.${rank}`,
    })
  const broken = await submitLongReplies(site, quiz, { name: BROKEN_NAME, unit: 'a ' })
  await damageReport(site, broken.participant_uuid)
  const { value, successes } = await measureAttack(context, () =>
    downloadDocument(account, quiz.id, { file: 'zip' }),
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

const NB_LONG_REPORTS = 6
const LINES_PER_TEXT = 480

/** Publishes a questionnaire whose report shows the longest texts of a creator. */
const publishLongTexts = async ({ client }: Account): Promise<{ id: string; reply_id: string }> => {
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
  const account = await context.openAccount()
  const { id, reply_id } = await publishLongTexts(account)
  const reports: string[] = []
  for (let rank = 0; rank < NB_LONG_REPORTS; rank++) {
    const body = { answers: { [reply_id]: 'é'.repeat(10_000) } }
    const { json } = await submit(account.site.origin, id, body, `192.0.2.${rank}`)
    const { report } = (json.documents ?? {}) as { report?: string }
    assertPrecondition(report !== undefined, 'a submission gives no report')
    reports.push(report ?? '')
  }
  const { answers, successes } = await readAtOnce(context, NB_LONG_REPORTS, (nr) =>
    readDocument(account, reports[nr] ?? '', `192.0.2.${nr + 100}`),
  )
  const isAnyWritten = answers.some(({ status }) => status === 200)
  return isAnyWritten ? successes : [...successes, 'no report was written']
}

/** Attacks on the writing of documents. */
export const documentQueues: Attack[] = [
  { name: 'one visitor fills the queue of documents', run: fillQueueAsVisitor },
  { name: 'one creator fills the queue of documents', run: fillQueueAsCreator },
  { name: 'a report of right-to-left marks is never tried again', run: drawMarks },
  { name: 'a ZIP with a document that cannot be made', run: zipBrokenDocument },
  { name: '6 reports of long texts at once', run: reportLongTexts },
]
