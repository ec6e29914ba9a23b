import { once } from 'node:events'
import type { PassThrough, Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import yazl from 'yazl'
import { DOCUMENT_KINDS } from '#domain/reports/document.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { documentFileName } from '#server/http/pages/file-names.ts'
import type { Reports, WrittenDocument } from '#server/reports/create-reports.ts'

type ZipInput = {
  quiz_id: string
  participants: readonly { participant_uuid: string; name: string | null }[]
  signal: AbortSignal
}

/** Delay before the next attempt at a document that the full queue refused. */
const RETRY_MS = 2_000

/**
 * Streams a ZIP with the documents of participants. The next document is written when the reader has taken the last one.
 * Participants without documents and participants deleted meanwhile are left out.
 */
export const writeDocumentsZip = (reports: Reports, input: ZipInput): Readable => {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as PassThrough
  const fill = async (): Promise<void> => {
    const { quiz_id, participants, signal } = input
    for (const [rank, { participant_uuid, name }] of participants.entries())
      for (const kind of DOCUMENT_KINDS) {
        const participant = { quiz_id, participant_uuid }
        const written = await writeInTurn(
          () => reports.write(kind, participant, { signal }),
          signal,
        )
        if (!written) continue
        const [label = ''] = written.name_parts
        const number = String(rank + 1).padStart(3, '0')
        const file = documentFileName([number, label, ...(name ? [name] : [])])
        // PDF documents are compressed already.
        zip.addBuffer(written.pdf, file, { compress: false })
        if (output.writableNeedDrain) await once(output, 'drain', { signal })
      }
    zip.end()
  }
  fill().catch((error: Error) => output.destroy(error))
  return output
}

/** Writes a document. Tries again as long as the queue is full. */
const writeInTurn = async (
  write: () => Promise<WrittenDocument | undefined>,
  signal: AbortSignal,
): Promise<WrittenDocument | undefined> => {
  for (;;)
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'reports_busy')) throw error
      await wait(RETRY_MS, undefined, { signal })
    }
}
