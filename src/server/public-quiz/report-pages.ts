import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocumentKind } from '#domain/reports/document.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { attachment, documentFileName } from '#server/http/pages/file-names.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { DOCUMENT_PATHS, documentKindsOf } from '#server/reports/report-links.ts'
import { findRun } from '#server/reports/reports.store.ts'
import { BUSY_REPORTS_PAGE, MISSING_DOCUMENT_PAGE, REPLACED_REPORT_PAGE } from './message-page.ts'
import { answerFailure, PRIVATE_HEADERS, sendMessage } from './page-reply.ts'

type Dependencies = { db: Db; reports: Reports }

type DocumentRoute = { Params: { id: string; token: string } }

/**
 * Registers GET /q/{id}/rapport/{token} and /q/{id}/attestation/{token}, the documents of a participant as PDF. Forged
 * links and erased participants get the same 404 page.
 */
export const registerReportPages = (app: FastifyInstance, { db, reports }: Dependencies): void => {
  const options = { errorHandler: answerFailure, config: { limits: 'report' as const } }
  const sendDocument =
    (kind: DocumentKind) =>
    async (request: FastifyRequest<DocumentRoute>, reply: FastifyReply): Promise<FastifyReply> => {
      reply.headers(PRIVATE_HEADERS)
      const { id, token } = request.params
      const participant = await reports.links.read(kind, id.toLowerCase(), token)
      if (participant && (await isAmbiguous(db, kind, participant)))
        return sendMessage(request, reply, 410, REPLACED_REPORT_PAGE)
      const written =
        participant &&
        (await writeOrBusy(reports, { kind, participant, network: networkKey(request.ip), reply }))
      if (written === 'busy') return sendMessage(request, reply, 503, BUSY_REPORTS_PAGE)
      if (!written) return sendMessage(request, reply, 404, MISSING_DOCUMENT_PAGE)
      return reply
        .header('content-disposition', attachment(documentFileName(written.name_parts)))
        .type('application/pdf')
        .send(written.pdf)
    }
  for (const kind of ['report', 'certificate'] as const)
    app.get<DocumentRoute>(
      `/q/:id/${DOCUMENT_PATHS[kind]}/:token`,
      { ...options, exposeHeadRoute: false },
      sendDocument(kind),
    )
}

/**
 * Returns true if the holder of an earlier release's token may have received it for a certificate only. Such a token opens
 * no report (docs/decisions/070).
 */
const isAmbiguous = async (
  db: Db,
  kind: DocumentKind,
  owner: NonNullable<Awaited<ReturnType<Reports['links']['read']>>>,
): Promise<boolean> => {
  const run = kind === 'report' && owner.is_shared ? await findRun(db, owner) : undefined
  return run !== undefined && documentKindsOf(run).includes('certificate')
}

/** Writes a document. Returns 'busy' with a Retry-After header if too many documents are being written. */
const writeOrBusy = async (
  reports: Reports,
  {
    kind,
    participant,
    network,
    reply,
  }: {
    kind: DocumentKind
    participant: { quiz_id: string; participant_uuid: string }
    network: string
    reply: FastifyReply
  },
) => {
  try {
    return await reports.write(kind, participant, {
      ...{ network, signal: responseSignalOf(reply), response: reply.raw },
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'reports_busy')) throw error
    reply.headers(error.headers)
    return 'busy'
  }
}
