import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { cutText } from '#domain/common/text.ts'
import { audit } from '#server/audit/audit.ts'
import type { Database } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { invalid, notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount, responseSignalOf, signalOf } from '#server/http/edge/mount.ts'
import { attachment, documentFileName, fileName } from '#server/http/pages/file-names.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { Reports, WrittenDocument } from '#server/reports/create-reports.ts'
import { undrawableName } from '#server/reports/pdf/undrawable-name.ts'
import { countPreviewPages, drawPreview } from '#server/reports/preview.ts'
import type { ReadView } from '#server/statistics/figures/read-view.ts'
import { writeDocumentsZip } from './documents-zip.ts'
import { consumeDownloadLink, createDocumentLinks, LINK_LIFE_MS } from './download-links.ts'
import { type DocumentsOrder, listOrdered } from './ordered-participants.store.ts'

type Dependencies = Pick<Database, 'db'> & {
  secretKey: string | Uint8Array
  readView: ReadView
  heavyWork: HeavyWork
  reports: Reports
  compiled: CompiledVersions
}
/** Maximum length of a name in the answer to an order. */
const MAX_NAME_LENGTH = 80

const missingDocument = () => notFound('Ce participant n’a pas ce document')

const isPreview = ({ file }: DocumentsOrder['order']): boolean => file.endsWith('_preview')

/** Mounts contract/documents.ts and the download behind its links. All calls check the owner of the quiz. */
export const registerDocuments = (
  app: FastifyInstance,
  { db, secretKey, readView, heavyWork, reports, compiled }: Dependencies,
): void => {
  const links = createDocumentLinks(secretKey)
  const drafts = { db, reports, texts: compiled.texts }
  const handlers: Handlers<typeof api.documents> = {
    link: async ({ id: quiz_id, body: order }, { id: creator_id }, request) => {
      heavyWork.check({ kind: 'zip', owner: creator_id })
      const { file } = order
      if ((file === 'report' || file === 'certificate') && !order.participant_uuid)
        throw invalid('Il manque le participant', 'participant_uuid')
      const { quiz } = await loadQuiz(db, { quiz_id, creator_id })
      const caller = { owner: creator_id, signal: signalOf(request) }
      const found = isPreview(order)
        ? undefined
        : await listOrdered(readView, { quiz_id, creator_id, order }, signalOf(request))
      if (found?.participants.length === 0)
        throw file === 'zip' ? notFound('Aucun participant ne correspond') : missingDocument()
      const names = (found?.participants ?? []).flatMap(({ name }) => name ?? [])
      const undrawable = file === 'report' ? [] : await reports.findUndrawable(names, caller)
      if (file === 'certificate' && undrawable[0] !== undefined) throw undrawableName(undrawable[0])
      const nb_pages =
        file === 'certificate_preview'
          ? await countPreviewPages(drafts, { quiz_id, creator_id, file }, caller.signal)
          : null
      const expires_at = Date.now() + LINK_LIFE_MS
      const token = links.write({ id: randomUUID(), quiz_id, creator_id, order, expires_at })
      const file_name =
        found && file === 'zip'
          ? fileName(['Rapports', quiz.name], 'zip', found.time_zone)
          : documentFileName([file.startsWith('report') ? 'Rapport' : 'Attestation', quiz.name])
      return {
        url: `${BASE_PATH}/quizzes/${quiz_id}/documents?token=${token}`,
        file_name,
        nb_participants: found?.participants.length ?? 1,
        nb_pages,
        undrawable_names: undrawable.map((name) => cutText(name, MAX_NAME_LENGTH)),
        expires_at: new Date(expires_at).toISOString(),
      }
    },
  }
  mount(app, api.documents, handlers)

  const writeOne = async (
    { quiz_id, creator_id, order }: DocumentsOrder,
    signal: AbortSignal,
  ): Promise<WrittenDocument> => {
    const { file, participant_uuid = '' } = order
    if (file === 'report_preview' || file === 'certificate_preview')
      return drawPreview(drafts, { quiz_id, creator_id, file }, signal)
    const kind = file === 'certificate' ? 'certificate' : 'report'
    await loadQuiz(db, { quiz_id, creator_id })
    const written = await reports.write(kind, { quiz_id, participant_uuid }, { signal })
    if (!written) throw missingDocument()
    return written
  }

  app.get<{ Params: { id: string }; Querystring: { token?: string } }>(
    `${BASE_PATH}/quizzes/:id/documents`,
    { config: { access: 'link', limits: 'snapshot' }, exposeHeadRoute: false },
    async (request, reply) => {
      const download = links.read(String(request.query.token ?? ''))
      const { quiz_id, creator_id, order } = download
      if (quiz_id !== request.params.id) throw notFound()
      const signal = responseSignalOf(reply)
      const use = async (): Promise<void> => {
        await consumeDownloadLink(db, download)
        const event = { actor_id: creator_id, object_id: quiz_id, detail: order.file }
        audit('export_downloaded', event)
      }
      reply.header('cache-control', 'no-store')
      if (order.file !== 'zip') {
        // The link is used in the turn of the document, so that it works again after a refusal.
        const job = { kind: 'sent_document', owner: creator_id, size: 1 } as const
        const { pdf, name_parts } = await heavyWork.stream(job, reply.raw, async (ended) => {
          await use()
          return writeOne(download, ended)
        })
        return reply
          .type('application/pdf')
          .header('content-disposition', attachment(documentFileName(name_parts)))
          .send(pdf)
      }
      const { quiz, time_zone, participants } = await listOrdered(readView, download, signal)
      const job = { kind: 'zip', owner: creator_id, size: participants.length } as const
      const zip = await heavyWork.stream(job, reply.raw, async (ended) => {
        await use()
        return writeDocumentsZip(reports, {
          quiz_id,
          participants,
          signal: ended,
          log: request.log,
        })
      })
      const name = fileName(['Rapports', quiz.name], 'zip', time_zone)
      return reply.type('application/zip').header('content-disposition', attachment(name)).send(zip)
    },
  )
}
