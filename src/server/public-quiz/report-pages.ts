import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocumentKind } from '#domain/reports/document.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { attachment, documentFileName } from '#server/http/pages/file-names.ts'
import type { Reports, WrittenDocument } from '#server/reports/create-reports.ts'
import { UNDRAWABLE_NAME } from '#server/reports/pdf/undrawable-name.ts'
import { DOCUMENT_PATHS, documentKindsOf } from '#server/reports/report-links.ts'
import { findRun } from '#server/reports/reports.store.ts'
import {
  BUSY_REPORTS_PAGE,
  type Message,
  MISSING_DOCUMENT_PAGE,
  REPLACED_REPORT_PAGE,
  UNDRAWABLE_NAME_PAGE,
} from './message-page.ts'
import { answerFailure, PRIVATE_HEADERS, sendMessage } from './page-reply.ts'

type Dependencies = { db: Db; reports: Reports }

type DocumentRoute = { Params: { id: string; token: string } }

/**
 * Registers GET /q/{id}/rapport/{token} and /q/{id}/attestation/{token}, the documents of a participant as PDF. Forged
 * links and erased participants get the same 404 page.
 */
export const registerReportPages = (app: FastifyInstance, { db, reports }: Dependencies): void => {
  const options = {
    errorHandler: answerFailure,
    config: { access: 'link', limits: 'report' },
  } as const
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
        (await writeOrRefuse(reports, {
          kind,
          participant,
          network: networkKey(request.ip),
          reply,
        }))
      if (written && 'refusal' in written) return sendMessage(request, reply, ...written.refusal)
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

/** Refusals that the visitor reads on a page of their own, by code. */
const REFUSALS: Record<string, [status: number, page: Message]> = {
  reports_busy: [503, BUSY_REPORTS_PAGE],
  [UNDRAWABLE_NAME]: [422, UNDRAWABLE_NAME_PAGE],
}

/** Writes a document. Returns the page that explains the refusal if there is one, with its headers on the reply. */
const writeOrRefuse = async (
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
): Promise<WrittenDocument | { refusal: [status: number, page: Message] } | undefined> => {
  try {
    return await reports.write(kind, participant, {
      network,
      signal: responseSignalOf(reply),
      response: reply.raw,
    })
  } catch (error) {
    const refusal = error instanceof ApiError ? REFUSALS[error.code] : undefined
    if (!refusal || !(error instanceof ApiError)) throw error
    reply.headers(error.headers)
    return { refusal }
  }
}
