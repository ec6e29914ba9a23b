import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import {
  certificateName,
  certificatePercent,
  certificateTitle,
  formatCertificateNumber,
  parseCertificateNumber,
} from '#domain/reports/certificate.ts'
import type { DocumentKind } from '#domain/reports/document.ts'
import { formatPercent } from '#domain/run/dimensions.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { attachment, documentFileName } from '#server/http/pages/file-names.ts'
import { escapeHtml, type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { dayInWords, type Reports } from '#server/reports/create-reports.ts'
import { DOCUMENT_PATHS, documentKindsOf } from '#server/reports/report-links.ts'
import { findCertificate, findRun } from '#server/reports/reports.store.ts'
import { BUSY_REPORTS_PAGE, MISSING_DOCUMENT_PAGE, REPLACED_REPORT_PAGE } from './message-page.ts'
import { answerFailure, PRIVATE_HEADERS, sendMessage, sendPage } from './page-reply.ts'

type Dependencies = { db: Db; reports: Reports }

const STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#fff;color:#37352f;',
  'font:1.0625rem/1.5 system-ui,sans-serif}',
  'main{box-sizing:border-box;width:100%;padding:2rem 1rem;max-width:36rem;overflow-wrap:anywhere}',
  'h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1.5rem}',
  'dl{margin:0;border-top:1px solid #c9c8c4}div{padding:.625rem 0;border-bottom:1px solid #c9c8c4}',
  'dt{color:#5b5b57;font-size:.9375rem}dd{margin:0;font-weight:600}',
].join('')

type DocumentRoute = { Params: { id: string; token: string } }

/**
 * Registers GET /q/{id}/rapport/{token} and /q/{id}/attestation/{token}, the documents of a participant as PDF, and
 * GET /attestation/{number}, which confirms what a certificate prints. Forged links and erased participants get the same
 * 404 page.
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

  app.get<{ Params: { number: string } }>(
    '/attestation/:number',
    options,
    async (request, reply) => {
      reply.headers(PRIVATE_HEADERS)
      const number = parseCertificateNumber(request.params.number)
      const page = number && (await certificatePage(db, number))
      if (!page) return sendMessage(request, reply, 404, MISSING_DOCUMENT_PAGE)
      return sendPage(reply, 200, page)
    },
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

/** Returns the page that confirms a certificate; undefined if no participant has this number. */
const certificatePage = async (db: Db, bytes: Uint8Array): Promise<HtmlPage | undefined> => {
  const found = await findCertificate(db, bytes)
  const run = found && (await findRun(db, found))
  const percent = run && certificatePercent(run.snapshot, run.replies)
  if (!run || percent === null || percent === undefined) return undefined
  const name = certificateName(run)
  const facts: [string, string][] = [
    ...(name === null ? [] : ([['Décernée à', name]] as [string, string][])),
    ['Titre', certificateTitle(run.snapshot)],
    ['Questionnaire', run.snapshot.quiz.name],
    ['Date', dayInWords(found.day)],
    ['Résultat', formatPercent(percent)],
    ['Numéro', formatCertificateNumber(bytes)],
  ]
  const rows = facts
    .map(
      ([label, value]) =>
        `<div><dt>${label}</dt><dd dir="auto">${escapeHtml(tiePunctuation(value))}</dd></div>`,
    )
    .join('')
  return writeHtmlPage({
    title: 'Attestation authentique',
    style: STYLE,
    body: `<main><h1>Attestation authentique</h1><p>Cette attestation a bien été délivrée. Voici ce qu’elle indique.</p><dl>${rows}</dl></main>`,
  })
}
