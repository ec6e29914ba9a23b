import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { exportTable } from '#domain/statistics/export-table.ts'
import { audit } from '#server/audit/audit.ts'
import type { Database } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount, responseSignalOf, signalOf } from '#server/http/edge/mount.ts'
import { attachment, fileName } from '#server/http/pages/file-names.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { hasShownMeasure } from '#server/responses/consent.store.ts'
import type { TaskRunner } from '#server/runtime/concurrency-limit.ts'
import type { ReadView } from '#server/statistics/figures/read-view.ts'
import { listParameterNames } from '#server/statistics/selection/indexed-filters.store.ts'
import { countConfirmations } from '#server/statistics/selection/selection-sizes.store.ts'
import { EXCEL, STANDARD, writeCsv } from './csv.ts'
import { registerDocuments } from './documents.routes.ts'
import {
  consumeDownloadLink,
  createDownloadLinks,
  type DownloadOrder,
  LINK_LIFE_MS,
} from './download-links.ts'
import { exportPages, writeJson } from './json-export.ts'
import { writeXlsx } from './write-xlsx.ts'

const TYPES: Record<DownloadOrder['format'], { type: string; extension: string }> = {
  csv_excel: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
}

type Dependencies = {
  database: Pick<Database, 'db' | 'heavyReads'>
  secretKey: string | Uint8Array
  readView: ReadView
  heavyWork: HeavyWork
}

/** Mounts contract/participants.ts and the downloads behind its links. */
export const registerExports = (
  app: FastifyInstance,
  deps: Dependencies & { reports: Reports; compiled: CompiledVersions },
): void => {
  mount(app, api.exports, exportsHandlers(deps))
  registerDocuments(app, { ...deps, db: deps.database.db })
  serveDownloads(app, deps)
}

/** Handlers of contract/participants.ts. `serveDownloads` serves the returned address. */
const exportsHandlers = ({
  secretKey,
  readView,
  heavyWork,
}: Omit<Dependencies, 'database'>): Handlers<typeof api.exports> => {
  const links = createDownloadLinks(secretKey)
  return {
    link: async (
      { id: quiz_id, body: { format, choices, ...filters } },
      { id: creator_id, is_api_key },
      request,
    ) => {
      // Filters and limits are checked before the link is created, because a screen can show an error but a
      // download cannot.
      heavyWork.check({ kind: 'export', owner: creator_id })
      const { quiz, time_zone } = await readView(
        { quiz_id, creator_id, filters, signal: signalOf(request) },
        async (state, { time_zone }) => ({
          ...(await loadQuiz(state, { quiz_id, creator_id })),
          time_zone,
        }),
      )
      const expires_at = Date.now() + LINK_LIFE_MS
      audit('export_made', { actor_id: creator_id, object_id: quiz_id, detail: format })
      const id = randomUUID()
      // An export for an API key contains no addresses of pages, because a page can also erase its participant.
      const has_pages = !is_api_key
      const ordered = { quiz_id, creator_id, format, choices, filters, has_pages }
      const token = links.write({ id, ...ordered, expires_at })
      return {
        url: `${BASE_PATH}/quizzes/${quiz_id}/download?token=${token}`,
        file_name: fileName(['Réponses', quiz.name], TYPES[format].extension, time_zone),
        expires_at: new Date(expires_at).toISOString(),
      }
    },
  }
}

type Download = { Params: { id: string }; Querystring: { token?: string } }

/** Registers the route that streams the file of a link once. The ownership of the quiz is checked again. */
const serveDownloads = (
  app: FastifyInstance,
  { database, secretKey, readView, heavyWork, reports }: Dependencies & { reports: Reports },
): void => {
  const { db, heavyReads } = database
  const links = createDownloadLinks(secretKey)
  app.get<Download>(
    `${BASE_PATH}/quizzes/:id/download`,
    { config: { access: 'link', limits: 'snapshot' }, exposeHeadRoute: false },
    async (request, reply) => {
      const order = links.read(String(request.query.token ?? ''))
      const { quiz_id, creator_id, format } = order
      if (quiz_id !== request.params.id) throw notFound()
      const signal = responseSignalOf(reply)
      const { quiz, view, names, has_measure, confirmations } = await readView(
        { ...order, signal },
        async (state, view) => ({
          quiz: (await loadQuiz(state, { quiz_id, creator_id })).quiz,
          view,
          names: await listParameterNames(state, quiz_id),
          has_measure: await hasShownMeasure(state, quiz_id),
          confirmations: await countConfirmations(state, quiz_id),
        }),
      )
      const { time_zone } = view
      const table = exportTable(view.answeredVersions, {
        type: quiz.type,
        parameters: names,
        time_zone,
        // JSON lists the choices of each answer, so that programs need no further columns.
        layout: format === 'json' ? 'joined' : order.choices,
        has_measure,
        has_confirmations: Object.keys(confirmations).length > 0,
        pageUrl:
          quiz.keeps_page && order.has_pages
            ? (participant_uuid) => reports.pageUrl({ quiz_id, participant_uuid })
            : undefined,
      })
      const write = (inTurn: TaskRunner): Readable => {
        const pages = exportPages(heavyReads, view, { lineOf: table.lineOf, inTurn })
        switch (format) {
          case 'csv_excel':
            return bytesStream(writeCsv(table, pages, EXCEL))
          case 'csv':
            return bytesStream(writeCsv(table, pages, STANDARD))
          case 'json':
            return bytesStream(writeJson({ id: quiz_id, name: quiz.name }, table, pages))
          case 'xlsx':
            return writeXlsx(table, pages, quiz.nb_responses)
        }
      }
      const job = { kind: 'export', owner: creator_id, size: quiz.nb_responses } as const
      const body = await heavyWork.stream(job, reply.raw, async (_ended, inTurn) => {
        await consumeDownloadLink(db, order)
        audit('export_downloaded', { actor_id: creator_id, object_id: quiz_id, detail: format })
        return write(inTurn)
      })
      const { type, extension } = TYPES[format]
      const name = fileName(['Réponses', quiz.name], extension, time_zone)
      return reply.type(type).header('content-disposition', attachment(name)).send(body)
    },
  )
}

const bytesStream = (parts: AsyncIterable<string>): Readable =>
  Readable.from(parts, { objectMode: false })
