import { once } from 'node:events'
import type { PassThrough, Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import yazl from 'yazl'
import { DOCUMENT_KINDS, type DocumentKind } from '#domain/reports/document.ts'
import { JOB_LIMITS } from '#server/heavy-work/job-limits.ts'
import { ApiError, toApiError } from '#server/http/edge/errors.ts'
import { documentFileName } from '#server/http/pages/file-names.ts'
import type { Reports } from '#server/reports/create-reports.ts'

type ZipInput = {
  quiz_id: string
  participants: readonly { participant_uuid: string; name: string | null }[]
  signal: AbortSignal
  log: Pick<FastifyBaseLogger, 'error'>
  /** Time in which documents are written; the list names those that are left. */
  max_ms?: number
  /** Kinds of documents to write; all by default. */
  kinds?: readonly DocumentKind[]
  /** Number of further participants with documents that are not written; the list names their number. */
  nb_left_out?: number
  /** Folder of the documents in the ZIP, with a final slash. */
  folder?: string
  /** Called after each participant. */
  onParticipant?: () => Promise<void>
}

/** Time that is left for the reader to take the last documents before the ZIP exceeds its limit. */
const TIME_TO_READ_MS = 600_000
const MAX_WRITING_MS = JOB_LIMITS.zip.max_ms - TIME_TO_READ_MS
/** Name of the list of documents that the ZIP does not contain. */
const LIST_NAME = 'Documents non créés.txt'
const KIND_LABELS: Record<DocumentKind, string> = { report: 'Rapport', certificate: 'Attestation' }
const REASONS = {
  late: 'la préparation de ce ZIP a pris trop de temps, demandez les documents restants dans un autre',
  failed: 'une erreur a empêché de le créer',
}

/** Streams a ZIP with the documents of participants (`addDocuments`). */
export const writeDocumentsZip = (reports: Pick<Reports, 'write'>, input: ZipInput): Readable => {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as PassThrough
  const fill = async (): Promise<void> => {
    await addDocuments(zip, reports, input)
    zip.end()
  }
  fill().catch((error: Error) => output.destroy(error))
  return output
}

/**
 * Adds the documents of participants to a ZIP. The next document is written when the reader has taken the last one.
 * Participants without documents and participants deleted meanwhile are left out. A document that cannot be written is
 * left out too and named with the reason in a list, so that one document never costs the others.
 */
export const addDocuments = async (
  zip: yazl.ZipFile,
  reports: Pick<Reports, 'write'>,
  input: ZipInput,
): Promise<void> => {
  const output = zip.outputStream as PassThrough
  const { quiz_id, participants, signal, log, max_ms = MAX_WRITING_MS } = input
  const { kinds = DOCUMENT_KINDS, folder = '', nb_left_out = 0, onParticipant } = input
  const ends_at = performance.now() + max_ms
  const missing: string[] = []

  const add = async (
    kind: DocumentKind,
    number: string,
    { participant_uuid, name }: ZipInput['participants'][number],
  ): Promise<void> => {
    const names = name ? [name] : []
    const leaveOut = (reason: string): void => {
      missing.push(`${[number, KIND_LABELS[kind], ...names].join(' - ')} : ${reason}`)
    }
    if (performance.now() > ends_at) {
      leaveOut(REASONS.late)
      return
    }
    try {
      const written = await reports.write(kind, { quiz_id, participant_uuid }, { signal })
      if (!written) return
      const [label = ''] = written.name_parts
      // PDF documents are compressed already.
      const file = folder + documentFileName([number, label, ...names])
      zip.addBuffer(written.pdf, file, { compress: false })
    } catch (error) {
      // A missing database or the end of the process concerns all documents, and so does a reader who has left.
      if (signal.aborted || toApiError(error).status === 503) throw error
      // The sentence of a refusal names its reason, for example a limit or a name without a font.
      const isRefused = error instanceof ApiError && error.status === 422
      if (!isRefused)
        log.error({ err: error, quiz_id, participant_uuid }, 'a document of a ZIP was not written')
      leaveOut(isRefused ? error.message : REASONS.failed)
    }
  }

  for (const [rank, participant] of participants.entries()) {
    for (const kind of kinds) {
      await add(kind, String(rank + 1).padStart(3, '0'), participant)
      if (output.writableNeedDrain) await once(output, 'drain', { signal })
    }
    await onParticipant?.()
  }
  if (nb_left_out > 0)
    missing.push(
      `${nb_left_out} autres participants : un fichier en contient ${participants.length} au plus`,
    )
  if (missing.length > 0) zip.addBuffer(listOf(missing), folder + LIST_NAME, { compress: false })
}

/** Returns the text of the list, with a byte order mark and line ends that every text editor shows. */
const listOf = (missing: readonly string[]): Buffer =>
  Buffer.from(`\ufeff${['Ces documents n’ont pas été créés :', '', ...missing, ''].join('\r\n')}`)
