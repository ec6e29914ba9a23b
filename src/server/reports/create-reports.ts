import type { ServerResponse } from 'node:http'
import { dayInWords } from '#domain/common/date-words.ts'
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
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import type { Job } from '#server/heavy-work/job-limits.ts'
import { findFile, largestFiles } from '#server/images/images.store.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import type { ReadText } from '#server/rich-texts/text-parser.ts'
import { findOwnProgress } from './earlier-runs.store.ts'
import {
  createReportLinks,
  documentKindsOf,
  type PageUrl,
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

/** Network of the visitor who asked for a document, and the signal that ends the writing. */
type Caller = Pick<Job, 'network' | 'signal'> & {
  /** Response that sends the document; the document keeps its place until the last byte is sent. */
  response?: ServerResponse | undefined
}

/** Functions that write the documents of participants. */
export type Reports = {
  links: ReportLinks
  /** Returns the address of the page of a participant; the page exists only while the quiz keeps pages. */
  pageUrl: PageUrl
  /** Returns the address of the page that confirms a certificate. */
  verificationUrl: (number: string) => string
  /**
   * Writes a document of a participant. Returns undefined if the participant was deleted or the run does not give the
   * document. Throws a 503 (`reports_busy`) if too many documents wait, a JobLimitError if the document is too large,
   * and a 422 (`undrawable_name`) if no font can write the name on a certificate.
   */
  write: (
    kind: DocumentKind,
    participant: ParticipantKey,
    caller?: Caller,
  ) => Promise<WrittenDocument | undefined>
  /** Writes a document that is already composed, such as the preview of a draft. Throws like `write`. */
  draw: (document: PdfDocument, caller: Caller & Pick<Job, 'owner'>) => Promise<Buffer>
  /** Returns the number of pages of a document that is already composed. Throws like `write`. */
  countPages: (document: PdfDocument, caller: Pick<Job, 'owner' | 'signal'>) => Promise<number>
  /** Returns the names with characters that no document can write, in their order. Throws like `write`. */
  findUndrawable: (
    names: readonly string[],
    caller: Pick<Job, 'owner' | 'signal'>,
  ) => Promise<string[]>
}

/** Maximum number of pictures in a document; further pictures are left out. */
const MAX_PICTURES = 60
/** Width of the stored file of a picture that documents use, in pixels. */
const PICTURE_SIZE = 800

/** Names whose characters every font has. */
const PLAIN_NAME = /^[\x20-\x7e\u00a0-\u017f’]*$/

/** Creates the functions that write the documents of participants, in threads of the scheduler. */
export const createReports = ({
  db,
  compiled,
  secretKey,
  public_url,
  heavyWork,
}: {
  db: Db
  compiled: Pick<CompiledVersions, 'find'>
  secretKey: string | Uint8Array
  public_url: string
  heavyWork: Pick<HeavyWork, 'run' | 'runInThread' | 'stream'>
}): Reports => {
  const links = createReportLinks(secretKey, (purpose) => loadFormerKeys(db, secretKey, purpose))

  const loadPictures = async (document: PdfDocument): Promise<[string, Uint8Array][]> => {
    const ids = picturesOf(document).slice(0, MAX_PICTURES)
    const stored = ids.length > 0 ? await largestFiles(db, ids) : []
    const pictures: [string, Uint8Array][] = []
    for (const { image_id, size } of stored) {
      const file = await findFile(db, image_id, size === 1_600 ? PICTURE_SIZE : size)
      if (file) pictures.push([image_id, file])
    }
    return pictures
  }

  const draw: Reports['draw'] = (document, { response, ...caller }) => {
    const job = { ...caller, kind: 'document', size: document.parts.length } as const
    // Pictures are loaded in the turn of the document, so that waiting documents take no memory for them.
    const write = (signal?: AbortSignal): Promise<Buffer> =>
      heavyWork.run({ ...job, signal }, async (signal) => {
        const input = { document, pictures: await loadPictures(document) }
        const bytes = await heavyWork.runInThread({ ...job, signal }, 'write_pdf', input)
        return Buffer.from(bytes.buffer)
      })
    return response
      ? heavyWork.stream({ ...job, kind: 'sent_document' }, response, write)
      : write(job.signal)
  }

  const countPages: Reports['countPages'] = (document, caller) => {
    const job = { ...caller, kind: 'document', size: document.parts.length } as const
    return heavyWork.run(job, async (signal) => {
      const input = { document, pictures: await loadPictures(document) }
      return heavyWork.runInThread({ ...job, signal }, 'count_pages', input)
    })
  }

  const findUndrawable: Reports['findUndrawable'] = async (names, caller) => {
    // Names of plain letters, which are most of them, need no thread.
    const unusual = names.filter((name) => !PLAIN_NAME.test(name))
    if (unusual.length === 0) return []
    const job = { ...caller, kind: 'document', size: unusual.length } as const
    const ranks = await heavyWork.runInThread(job, 'find_undrawable', unusual)
    return ranks.flatMap((rank) => unusual[rank] ?? [])
  }

  const verificationUrl = (number: string): string => `${public_url}/attestation/${number}`

  const composeCertificate = async (
    run: StoredRun,
    day: string,
    read: ReadText,
  ): Promise<PdfDocument | undefined> => {
    const { snapshot, replies, result, invited } = run
    const percent = certificatePercent(snapshot, replies)
    const certificate = percent === null ? undefined : await findOrCreateCertificate(db, run, day)
    if (!certificate || percent === null) return undefined
    const number = formatCertificateNumber(certificate.number)
    const words = dayInWords(certificate.day)
    const values = certificateInsertions({ snapshot, replies, result, invited, percent }, words)
    const url = verificationUrl(number)
    return certificateDocument(
      { snapshot, replies, invited },
      { day: words, percent, number, url, values },
      read,
    )
  }

  return {
    links,
    pageUrl: (participant) => public_url + links.page(participant),
    verificationUrl,
    draw,
    countPages,
    findUndrawable,
    write: async (kind, participant, caller) => {
      const run = await findRun(db, participant)
      if (!run || !documentKindsOf(run).includes(kind)) return undefined
      const { quiz_id, snapshot, created_at, version } = run
      const compiledVersion = await compiled.find(quiz_id, version, caller?.signal)
      if (!compiledVersion) return undefined
      const time_zone = await findTimeZoneOfQuiz(db, quiz_id)
      const day = localDay(new Date(created_at), time_zone)
      const document =
        kind === 'report'
          ? reportDocument(
              { ...run, progress: await findOwnProgress(db, run, time_zone) },
              dayInWords(day),
              compiledVersion.read,
            )
          : await composeCertificate(run, day, compiledVersion.read)
      if (!document) return undefined
      const pdf = await draw(document, { ...caller, owner: run.creator_id })
      const name = certificateName(run)
      const name_parts = [
        KIND_LABELS[kind],
        snapshot.quiz.name,
        ...(name ? [cutText(name, MAX_NAME_LENGTH)] : []),
      ]
      return { pdf, name_parts }
    },
  }
}

/** Maximum length of the name of a person in a file name. */
const MAX_NAME_LENGTH = 60
const KIND_LABELS: Record<DocumentKind, string> = { report: 'Rapport', certificate: 'Attestation' }
