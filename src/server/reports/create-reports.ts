import { parseRichText } from '#contract/parse-rich-text.ts'
import { cutText } from '#domain/common/text.ts'
import { localDay } from '#domain/common/time-zone.ts'
import {
  certificateInsertions,
  certificateName,
  certificatePercent,
  formatCertificateNumber,
} from '#domain/reports/certificate.ts'
import { type DocumentKind, type PdfDocument, picturesOf } from '#domain/reports/document.ts'
import { certificateDocument, reportDocument } from '#domain/reports/report-document.ts'
import { loadFormerKeys } from '#server/auth/sessions/signing-keys.store.ts'
import type { Db } from '#server/db/database.ts'
import { findFile, largestFiles } from '#server/images/images.store.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import { createPdfWriter, type PdfWriter } from './pdf/pdf-threads.ts'
import {
  createReportLinks,
  documentKindsOf,
  type PageUrl,
  REPORT_LINKS_PURPOSE,
  type ReportLinks,
} from './report-links.ts'
import {
  findOrCreateCertificate,
  findRun,
  type ParticipantKey,
  type StoredRun,
} from './reports.store.ts'

/** Written PDF, with the parts of its file name. */
export type WrittenDocument = { pdf: Buffer; name_parts: string[] }

/** Functions that write the documents of participants. */
export type Reports = {
  links: ReportLinks
  /** Returns the address of the page of a participant; the page exists only while the quiz keeps pages. */
  pageUrl: PageUrl
  /** Returns the address of the page that confirms a certificate. */
  verificationUrl: (number: string) => string
  /**
   * Writes a document of a participant. Returns undefined if the participant was deleted or the run does not give the
   * document. Throws a 503 (`reports_busy`) if too many documents wait.
   */
  write: (
    kind: DocumentKind,
    participant: ParticipantKey,
    signal?: AbortSignal,
  ) => Promise<WrittenDocument | undefined>
  /** Writes a document that is already composed, such as the preview of a draft. Throws a 503 like `write`. */
  draw: (
    document: PdfDocument,
    turn: { quiz_id: string; signal?: AbortSignal | undefined },
  ) => Promise<Buffer>
  close: () => void
}

/** Maximum number of pictures in a document; further pictures are left out. */
const MAX_PICTURES = 60
/** Width of the stored file of a picture that documents use, in pixels. */
const PICTURE_SIZE = 800

/** Returns a day such as 2026-11-26 in words. */
export const dayInWords = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })

/** Creates the functions that write the documents of participants, in threads of this process. */
export const createReports = ({
  db,
  secretKey,
  public_url,
  writer = createPdfWriter(),
}: {
  db: Db
  secretKey: string | Uint8Array
  public_url: string
  writer?: PdfWriter
}): Reports => {
  const links = createReportLinks(secretKey, () =>
    loadFormerKeys(db, secretKey, REPORT_LINKS_PURPOSE),
  )

  const draw: Reports['draw'] = async (document, turn) => {
    const ids = picturesOf(document).slice(0, MAX_PICTURES)
    const stored = ids.length > 0 ? await largestFiles(db, ids) : []
    const pictures: [string, Uint8Array][] = []
    for (const { image_id, size } of stored) {
      const file = await findFile(db, image_id, size === 1_600 ? PICTURE_SIZE : size)
      if (file) pictures.push([image_id, file])
    }
    return writer.write({ document, pictures }, turn)
  }

  const verificationUrl = (number: string): string => `${public_url}/attestation/${number}`

  const composeCertificate = async (
    run: StoredRun,
    day: string,
  ): Promise<PdfDocument | undefined> => {
    const { snapshot, replies, result } = run
    const percent = certificatePercent(snapshot, replies)
    const certificate = percent === null ? undefined : await findOrCreateCertificate(db, run, day)
    if (!certificate || percent === null) return undefined
    const number = formatCertificateNumber(certificate.number)
    const words = dayInWords(certificate.day)
    const values = certificateInsertions({ snapshot, replies, result, percent }, words)
    const url = verificationUrl(number)
    return certificateDocument(
      { snapshot, replies },
      { day: words, percent, number, url, values },
      parseRichText,
    )
  }

  return {
    links,
    pageUrl: (participant) => public_url + links.page(participant),
    verificationUrl,
    draw,
    write: async (kind, participant, signal) => {
      const run = await findRun(db, participant)
      if (!run || !documentKindsOf(run).includes(kind)) return undefined
      const { quiz_id, snapshot, created_at } = run
      const day = localDay(new Date(created_at), await findTimeZoneOfQuiz(db, quiz_id))
      const document =
        kind === 'report'
          ? reportDocument(run, dayInWords(day), parseRichText)
          : await composeCertificate(run, day)
      if (!document) return undefined
      const pdf = await draw(document, { quiz_id, signal })
      const name = certificateName(run)
      const name_parts = [
        KIND_LABELS[kind],
        snapshot.quiz.name,
        ...(name ? [cutText(name, MAX_NAME_LENGTH)] : []),
      ]
      return { pdf, name_parts }
    },
    close: writer.close,
  }
}

/** Maximum length of the name of a person in a file name. */
const MAX_NAME_LENGTH = 60
const KIND_LABELS: Record<DocumentKind, string> = { report: 'Rapport', certificate: 'Attestation' }
