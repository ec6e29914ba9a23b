import { localDay } from '#domain/common/time-zone.ts'
import { sampleRun } from '#domain/deliveries/quiz-mail.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { certificateInsertions, certificatePercent } from '#domain/reports/certificate.ts'
import { certificateDocument, reportDocument } from '#domain/reports/report-document.ts'
import { textsOfVersion } from '#domain/run/version-texts.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import { createReader, type TextParser } from '#server/rich-texts/text-parser.ts'
import { dayInWords, type Reports, type WrittenDocument } from './create-reports.ts'

const SAMPLE_EMAIL = 'prenom.nom@exemple.fr'
/** Number in a preview; no certificate has this number. */
const SAMPLE_NUMBER = 'XXXX-XXXX-XXXX-XXXX'

/**
 * Draws a document of the draft with sample replies. Nothing is stored. Throws a 404 if the quiz belongs to another
 * creator.
 */
export const drawPreview = async (
  { db, reports, texts }: { db: Db; reports: Reports; texts: Pick<TextParser, 'parseAll'> },
  {
    quiz_id,
    creator_id,
    file,
  }: { quiz_id: string; creator_id: string; file: 'report_preview' | 'certificate_preview' },
  signal: AbortSignal,
): Promise<WrittenDocument> => {
  const draft = await readInOneSnapshot(db, (read) => loadDraft(read, { quiz_id, creator_id }))
  const snapshot = takeSnapshot(draft)
  const job = { kind: 'publication', owner: creator_id, signal } as const
  const read = createReader(await texts.parseAll(textsOfVersion(snapshot), job))
  const { replies } = sampleRun(snapshot, SAMPLE_EMAIL)
  const result = snapshot.results[0] ?? null
  const day = dayInWords(localDay(new Date(), await findTimeZoneOfQuiz(db, quiz_id)))
  const isReport = file === 'report_preview'
  const percent = Math.max(
    certificatePercent(snapshot, replies) ?? 0,
    snapshot.quiz.certificate_percent ?? 0,
  )
  const values = certificateInsertions({ snapshot, replies, result, percent }, day)
  const facts = {
    day,
    percent,
    number: SAMPLE_NUMBER,
    values,
    url: reports.verificationUrl(SAMPLE_NUMBER),
  }
  const document = isReport
    ? reportDocument({ snapshot, replies, result }, day, read)
    : certificateDocument({ snapshot, replies }, facts, read)
  return {
    pdf: await reports.draw(document, { owner: creator_id, signal }),
    name_parts: ['Aperçu', isReport ? 'Rapport' : 'Attestation', snapshot.quiz.name],
  }
}
