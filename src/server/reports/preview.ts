import { dayInWords } from '#domain/common/date-words.ts'
import { localDay } from '#domain/common/time-zone.ts'
import { sampleRun } from '#domain/deliveries/quiz-mail.ts'
import { textsOfVersion } from '#domain/publishing/version-texts.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { certificateInsertions, certificatePercent } from '#domain/reports/certificate.ts'
import type { PdfDocument } from '#domain/reports/document.ts'
import { certificateDocument, reportDocument } from '#domain/reports/report-document.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import { createReader, type TextParser } from '#server/rich-texts/text-parser.ts'
import type { Reports, WrittenDocument } from './create-reports.ts'

const SAMPLE_EMAIL = 'prenom.nom@exemple.fr'
/** Number in a preview; no certificate has this number. */
const SAMPLE_NUMBER = 'XXXX-XXXX-XXXX-XXXX'

type PreviewFile = 'report_preview' | 'certificate_preview'
type PreviewOrder = { quiz_id: string; creator_id: string; file: PreviewFile }
type Dependencies = { db: Db; reports: Reports; texts: Pick<TextParser, 'parseAll'> }

/** Composes a document of the draft with sample replies. Throws a 404 if the quiz belongs to another creator. */
const composePreview = async (
  { db, reports, texts }: Dependencies,
  { quiz_id, creator_id, file }: PreviewOrder,
  signal: AbortSignal | undefined,
): Promise<{ document: PdfDocument; quiz_name: string }> => {
  const draft = await readInOneSnapshot(db, (read) => loadDraft(read, { quiz_id, creator_id }))
  const snapshot = takeSnapshot(draft)
  const job = { kind: 'publication', owner: creator_id, signal } as const
  const read = createReader(await texts.parseAll(textsOfVersion(snapshot), job))
  const { replies } = sampleRun(snapshot, SAMPLE_EMAIL)
  const result = snapshot.results[0] ?? null
  const day = dayInWords(localDay(new Date(), await findTimeZoneOfQuiz(db, quiz_id)))
  const quiz_name = snapshot.quiz.name
  if (file === 'report_preview')
    return { document: reportDocument({ snapshot, replies, result }, day, read), quiz_name }
  const percent = Math.max(
    certificatePercent(snapshot, replies) ?? 0,
    snapshot.quiz.certificate_percent ?? 0,
  )
  const values = certificateInsertions({ snapshot, replies, result, percent }, day)
  const url = reports.verificationUrl(SAMPLE_NUMBER)
  const facts = { day, percent, number: SAMPLE_NUMBER, values, url }
  return { document: certificateDocument({ snapshot, replies }, facts, read), quiz_name }
}

/**
 * Draws a document of the draft with sample replies. Nothing is stored. Throws a 404 if the quiz belongs to another
 * creator.
 */
export const drawPreview = async (
  dependencies: Dependencies,
  order: PreviewOrder,
  signal: AbortSignal,
): Promise<WrittenDocument> => {
  const { document, quiz_name } = await composePreview(dependencies, order, signal)
  const label = order.file === 'report_preview' ? 'Rapport' : 'Attestation'
  return {
    pdf: await dependencies.reports.draw(document, { owner: order.creator_id, signal }),
    name_parts: ['Aperçu', label, quiz_name],
  }
}

/**
 * Returns the number of pages of a document of the draft with sample replies. Throws a 404 if the quiz belongs to another
 * creator.
 */
export const countPreviewPages = async (
  dependencies: Dependencies,
  order: PreviewOrder,
  signal: AbortSignal | undefined,
): Promise<number> => {
  const { document } = await composePreview(dependencies, order, signal)
  return dependencies.reports.countPages(document, { owner: order.creator_id, signal })
}
