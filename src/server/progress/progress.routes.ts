import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import type { ExportLine } from '#domain/statistics/export-table.ts'
import { audit } from '#server/audit/audit.ts'
import { loadCampaign } from '#server/campaigns/campaigns.store.ts'
import { type Database, type Db, readInOneSnapshot } from '#server/db/database.ts'
import { EXCEL, STANDARD, writeCsv } from '#server/exports/csv.ts'
import {
  consumeDownloadLink,
  createProgressLinks,
  LINK_LIFE_MS,
} from '#server/exports/download-links.ts'
import { writeXlsx } from '#server/exports/write-xlsx.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount, responseSignalOf, signalOf } from '#server/http/edge/mount.ts'
import { attachment, fileName } from '#server/http/pages/file-names.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import { findBefore, notComparable, readCampaigns, showProgress, tableOfPeople } from './compare.ts'
import { listCandidates, storeBefore } from './compared-campaigns.store.ts'

type Dependencies = Pick<Database, 'db' | 'heavyReads'> & {
  secretKey: string | Uint8Array
  heavyWork: HeavyWork
}

const FILES = {
  csv_excel: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
}

const noPeople = () =>
  conflict(
    'anonymous_campaign',
    'Une campagne anonyme se compare par ses moyennes, pas personne par personne',
  )

/** Mounts contract/progress.ts and the download of the changes of people. */
export const registerProgress = (app: FastifyInstance, deps: Dependencies): void => {
  mount(app, api.progress, progressHandlers(deps))
  serveDownloads(app, deps)
}

/** Runs a read in the turn of its creator, in one snapshot. */
const createReader =
  ({ heavyReads, heavyWork }: Pick<Dependencies, 'heavyReads' | 'heavyWork'>) =>
  <T>(
    owner: string,
    signal: AbortSignal,
    read: (db: Db, signal: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    heavyWork.run({ kind: 'analysis', owner, size: 1, signal }, (signal) =>
      heavyReads.run(({ db }) => readInOneSnapshot(db, (state) => read(state, signal), signal)),
    )

const progressHandlers = ({
  db,
  secretKey,
  ...reads
}: Dependencies): Handlers<typeof api.progress> => {
  const links = createProgressLinks(secretKey)
  const readInTurn = createReader(reads)
  return {
    get: ({ id: quiz_id, campaignId: campaign_id, before }, { id: creator_id }, request) =>
      readInTurn(creator_id, signalOf(request), async (state, signal) => {
        const query = { quiz_id, creator_id, campaign_id, before }
        const campaign = await loadCampaign(state, query)
        const read = await readCampaigns(state, query, signal)
        return {
          before_campaign_id: campaign.before_campaign_id,
          candidates: await listCandidates(state, campaign, creator_id),
          progress: read ? showProgress(read) : null,
        }
      }),

    setBefore: async (
      { id: quiz_id, campaignId: campaign_id, body: { before_campaign_id } },
      { id: creator_id },
    ) => {
      await db.transaction().execute(async (change) => {
        const campaign = await loadCampaign(change, { quiz_id, creator_id, campaign_id }, 'lock')
        if (before_campaign_id === null) return storeBefore(change, campaign, null)
        const before = await findBefore(change, campaign, {
          creator_id,
          before: before_campaign_id,
        })
        if (campaign.is_anonymous || before?.is_anonymous) throw noPeople()
        const candidates = await listCandidates(change, campaign, creator_id)
        const found = candidates.find((candidate) => candidate.campaign_id === before_campaign_id)
        if (!found) throw notComparable()
        return storeBefore(change, campaign, found)
      })
      audit('campaign_changed', { actor_id: creator_id, object_id: campaign_id, detail: 'before' })
    },

    people: (
      { id: quiz_id, campaignId: campaign_id, body: { format, before } },
      { id: creator_id },
    ) =>
      readInOneSnapshot(db, async (state) => {
        reads.heavyWork.check({ kind: 'export', owner: creator_id })
        const campaign = await loadCampaign(state, { quiz_id, creator_id, campaign_id })
        const found = await findBefore(state, campaign, { creator_id, before })
        if (!found) throw notFound('Campagne introuvable')
        if (campaign.is_anonymous || found.is_anonymous) throw noPeople()
        const expires_at = Date.now() + LINK_LIFE_MS
        const ordered = { quiz_id, creator_id, campaign_id, before: found.campaign_id, format }
        const token = links.write({ id: randomUUID(), ...ordered, expires_at })
        audit('export_made', {
          actor_id: creator_id,
          object_id: quiz_id,
          detail: `progress ${format}`,
        })
        const time_zone = await findTimeZoneOfQuiz(state, quiz_id)
        return {
          url: `${BASE_PATH}/quizzes/${quiz_id}/progress/download?token=${token}`,
          file_name: fileName(['Évolution', campaign.name], FILES[format].extension, time_zone),
          expires_at: new Date(expires_at).toISOString(),
        }
      }),
  }
}

type Download = { Params: { id: string }; Querystring: { token?: string } }

/** Registers the route that sends the file of a link once. The ownership of both campaigns is checked again. */
const serveDownloads = (app: FastifyInstance, { db, secretKey, ...reads }: Dependencies): void => {
  const links = createProgressLinks(secretKey)
  const readInTurn = createReader(reads)
  app.get<Download>(
    `${BASE_PATH}/quizzes/:id/progress/download`,
    { config: { access: 'link', limits: 'snapshot' }, exposeHeadRoute: false },
    async (request, reply) => {
      const order = links.read(String(request.query.token ?? ''))
      const { quiz_id, creator_id, format } = order
      if (quiz_id !== request.params.id) throw notFound()
      const { name, table } = await readInTurn(
        creator_id,
        responseSignalOf(reply),
        async (state, signal) => {
          const read = await readCampaigns(state, order, signal)
          if (!read) throw notFound()
          if (!read.is_paired) throw noPeople()
          const time_zone = await findTimeZoneOfQuiz(state, quiz_id)
          return { name: read.campaign.name, table: tableOfPeople(read, time_zone) }
        },
      )
      await consumeDownloadLink(db, order)
      audit('export_downloaded', {
        actor_id: creator_id,
        object_id: quiz_id,
        detail: `progress ${format}`,
      })
      const { type, extension } = FILES[format]
      const lines = table.lines
      const body =
        format === 'xlsx'
          ? writeXlsx(table, onePage(lines), lines.length)
          : Readable.from(writeCsv(table, onePage(lines), format === 'csv' ? STANDARD : EXCEL), {
              objectMode: false,
            })
      const file_name = fileName(['Évolution', name], extension, table.time_zone)
      return reply
        .header('cache-control', 'no-store')
        .type(type)
        .header('content-disposition', attachment(file_name))
        .send(body)
    },
  )
}

async function* onePage(lines: ExportLine[]): AsyncGenerator<ExportLine[]> {
  yield lines
}
