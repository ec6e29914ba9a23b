import { type PassThrough, Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import yazl from 'yazl'
import { EVIDENCE_LIMITS, type EvidenceFailure } from '#domain/evidence/evidence.ts'
import { evidenceDocument } from '#domain/evidence/evidence-document.ts'
import type { ExportLine, ExportTable } from '#domain/statistics/export-table.ts'
import { type Database, readInOneSnapshot } from '#server/db/database.ts'
import { EXCEL, writeCsv } from '#server/exports/csv.ts'
import { addDocuments } from '#server/exports/documents-zip.ts'
import { writeXlsx } from '#server/exports/write-xlsx.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { JobLimitError } from '#server/heavy-work/job-errors.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { deriveKey, seal } from '#server/runtime/sealing.ts'
import {
  type EvidenceKey,
  failEvidence,
  finishEvidence,
  insertPiece,
  recordProgress,
} from './evidence.store.ts'
import { type CampaignKey, type EvidenceContent, readEvidence } from './evidence-facts.ts'

/** Purpose for which the key of the pieces is derived from SECRET_KEY. */
export const EVIDENCE_PURPOSE = 'evidence/pieces'
/** Returns the label to which a piece is bound. */
export const pieceLabel = (file_id: string, rank: number): string => `evidence/${file_id}/${rank}`

const PIECE_BYTES = 1_048_576
/** Interval between two signs of life of a file that waits or is written. */
const LIFE_INTERVAL_MS = 20_000
/** Parts of a file before its certificates: what is read, and what is written from it. */
export const NB_FIRST_PARTS = 2
/** Time in which certificates are written; the list in the ZIP names those that are left. */
const MAX_CERTIFICATES_MS = 45 * 60_000

/** Names of the files in the ZIP. */
const EVIDENCE_NAMES = {
  document: 'Dossier de preuves.pdf',
  workbook: 'Réponses.xlsx',
  people: 'Évolution par personne.xlsx',
  journal: 'Journal des envois.csv',
  certificates: 'Attestations/',
} as const

/** Dependencies of the writing of files for an audit. */
export type EvidenceDeps = Pick<Database, 'db' | 'heavyReads'> & {
  secretKey: string | Uint8Array
  heavyWork: HeavyWork
  reports: Pick<Reports, 'draw' | 'write'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Reason of a cancelled writing, of which no row is left. */
class Cancelled extends Error {}
/** Error of a file that exceeds its maximum size. */
class TooLarge extends Error {}

const failureOf = (error: unknown): EvidenceFailure => {
  if (error instanceof TooLarge) return 'too_large'
  return error instanceof JobLimitError && error.limit === 'time' ? 'too_slow' : 'error'
}

/** Creates the function that writes a file in the background, in the turn of its creator. It never rejects. */
export const createEvidenceWriter =
  (deps: EvidenceDeps) =>
  async (key: EvidenceKey, campaign: CampaignKey, nb_people: number): Promise<void> => {
    const { db, heavyWork, log } = deps
    const leaving = new AbortController()
    const show = async (progress: Parameters<typeof recordProgress>[2] = {}): Promise<void> => {
      if (!(await recordProgress(db, key, progress))) leaving.abort(new Cancelled())
    }
    const life = setInterval(() => {
      show().catch((error: Error) => log.error({ err: error }, 'progress could not be recorded'))
    }, LIFE_INTERVAL_MS).unref()
    try {
      const job = { kind: 'evidence', owner: campaign.creator_id, size: nb_people } as const
      await heavyWork.run({ ...job, is_detached: true, signal: leaving.signal }, (signal) =>
        writeEvidence(deps, { key, campaign, show }, signal),
      )
    } catch (error) {
      if (leaving.signal.aborted) return
      const failure = failureOf(error)
      if (failure === 'error') log.error({ err: error, ...key }, 'evidence was not written')
      await failEvidence(db, key, failure).catch((cause: Error) =>
        log.error({ err: cause, ...key }, 'the failure of evidence was not stored'),
      )
    } finally {
      clearInterval(life)
    }
  }

type Writing = {
  key: EvidenceKey
  campaign: CampaignKey
  show: (progress: Parameters<typeof recordProgress>[2]) => Promise<void>
}

const writeEvidence = async (
  deps: EvidenceDeps,
  { key, campaign, show }: Writing,
  signal: AbortSignal,
): Promise<void> => {
  const content = await deps.heavyReads.run(({ db }) =>
    readInOneSnapshot(db, (read) => readEvidence(read, campaign, signal), signal),
  )
  const nb_certificates = Math.min(content.certified.length, EVIDENCE_LIMITS.certificates)
  await show({ nb_done: 1, nb_total: NB_FIRST_PARTS + nb_certificates })
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as PassThrough
  const fill = async (): Promise<void> => {
    await addFiles(deps, zip, { content, campaign, show }, signal)
    zip.end()
  }
  // The error of a part ends the stream, and so the storing below.
  const filled = fill().catch((error: Error) => output.destroy(error))
  const size_bytes = await storePieces(deps, key, output, signal)
  await filled
  await finishEvidence(deps.db, key, size_bytes)
}

/** Adds all files of the content to a ZIP, small ones first. */
const addFiles = async (
  { reports, log }: EvidenceDeps,
  zip: yazl.ZipFile,
  {
    content,
    campaign: { quiz_id, creator_id },
    show,
  }: { content: EvidenceContent } & Pick<Writing, 'campaign' | 'show'>,
  signal: AbortSignal,
): Promise<void> => {
  const { facts, workbook, people, journal, certified } = content
  const pdf = await reports.draw(evidenceDocument(facts), { owner: creator_id, signal })
  zip.addBuffer(pdf, EVIDENCE_NAMES.document, { compress: false })
  if (workbook) await addWorkbook(zip, EVIDENCE_NAMES.workbook, workbook)
  if (people) await addWorkbook(zip, EVIDENCE_NAMES.people, people)
  const csv = await Readable.from(writeCsv(journal, onePage(journal.lines), EXCEL)).toArray()
  zip.addBuffer(Buffer.from(csv.join('')), EVIDENCE_NAMES.journal)
  let nb_done = NB_FIRST_PARTS
  await show({ nb_done })
  if (certified.length === 0) return
  const participants = certified.slice(0, EVIDENCE_LIMITS.certificates)
  await addDocuments(zip, reports, {
    quiz_id,
    participants,
    nb_left_out: certified.length - participants.length,
    signal,
    log,
    max_ms: MAX_CERTIFICATES_MS,
    kinds: ['certificate'],
    folder: EVIDENCE_NAMES.certificates,
    onParticipant: () => show({ nb_done: ++nb_done }),
  })
}

type Table = Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'> & { lines: ExportLine[] }

const addWorkbook = async (zip: yazl.ZipFile, name: string, table: Table): Promise<void> => {
  const workbook = writeXlsx(table, onePage(table.lines), table.lines.length)
  zip.addBuffer(await collect(workbook), name, { compress: false })
}

/** Returns the bytes of a stream. The stream of a workbook closes as it ends, which iterators take for an interruption. */
const collect = (stream: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.once('end', () => resolve(Buffer.concat(parts)))
    stream.once('error', reject)
  })

async function* onePage(lines: ExportLine[]): AsyncGenerator<ExportLine[]> {
  yield lines
}

/** Stores the bytes of a stream in encrypted pieces, and returns their number. Throws if they are too many. */
const storePieces = async (
  { db, secretKey }: Pick<EvidenceDeps, 'db' | 'secretKey'>,
  key: EvidenceKey,
  output: Readable,
  signal: AbortSignal,
): Promise<number> => {
  const sealing = deriveKey(secretKey, EVIDENCE_PURPOSE)
  let rank = 0
  let size_bytes = 0
  let waiting: Buffer[] = []
  let nb_waiting = 0
  const store = async (): Promise<void> => {
    if (nb_waiting === 0) return
    signal.throwIfAborted()
    const sealed = seal(sealing, pieceLabel(key.id, rank), Buffer.concat(waiting))
    if (!(await insertPiece(db, key, { rank, sealed }))) throw new Cancelled()
    rank++
    waiting = []
    nb_waiting = 0
  }
  for await (const chunk of output as AsyncIterable<Buffer>) {
    size_bytes += chunk.length
    if (size_bytes > EVIDENCE_LIMITS.bytes) throw new TooLarge()
    waiting.push(chunk)
    nb_waiting += chunk.length
    if (nb_waiting >= PIECE_BYTES) await store()
  }
  await store()
  return size_bytes
}
