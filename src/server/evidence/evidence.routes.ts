import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { EvidenceFile } from '#contract/evidence.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { totalOf } from '#domain/campaigns/campaign.ts'
import { audit } from '#server/audit/audit.ts'
import { type CampaignRow, countGroups, loadCampaign } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'
import {
  consumeDownloadLink,
  createEvidenceLinks,
  LINK_LIFE_MS,
} from '#server/exports/download-links.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount } from '#server/http/edge/mount.ts'
import { attachment, fileName } from '#server/http/pages/file-names.ts'
import { findTimeZoneOfQuiz } from '#server/quizzes/quizzes.store.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { deriveKey, unsealBytes } from '#server/runtime/sealing.ts'
import {
  deleteEvidence,
  deleteExpiredEvidence,
  type EvidenceRow,
  findEvidence,
  findPiece,
  insertEvidence,
  storeActions,
} from './evidence.store.ts'
import {
  createEvidenceWriter,
  EVIDENCE_PURPOSE,
  type EvidenceDeps,
  NB_FIRST_PARTS,
  pieceLabel,
} from './write-evidence.ts'

const CLEANING_INTERVAL_MS = 60_000

/** Mounts contract/evidence.ts, the download of a file, and the deletion of expired files. */
export const registerEvidence = (app: FastifyInstance, deps: EvidenceDeps): void => {
  mount(app, api.evidence, evidenceHandlers(deps))
  serveDownloads(app, deps)
  const stopCleaning = runEvery(CLEANING_INTERVAL_MS, () => deleteExpiredEvidence(deps.db), {
    onFailure: (error) => deps.log.error({ err: error }, 'expired evidence was not deleted'),
  })
  app.addHook('onClose', stopCleaning)
}

const shownFile = ({
  id,
  status,
  nb_done,
  nb_total,
  size_bytes,
  failure,
  created_at,
  expires_at,
}: EvidenceRow): EvidenceFile => ({
  ...{ id, status, nb_done, nb_total, size_bytes, failure, created_at, expires_at },
})

const evidenceHandlers = (deps: EvidenceDeps): Handlers<typeof api.evidence> => {
  const { db, secretKey } = deps
  const links = createEvidenceLinks(secretKey)
  const write = createEvidenceWriter(deps)
  return {
    get: async ({ id: quiz_id, campaignId: campaign_id }, { id: creator_id }) => {
      const campaign = await loadCampaign(db, { quiz_id, creator_id, campaign_id })
      const file = await findEvidence(db, campaign)
      return { actions_text: campaign.actions_text, file: file ? shownFile(file) : null }
    },

    setActions: async ({ id: quiz_id, campaignId: campaign_id, body }, { id: creator_id }) => {
      await db.transaction().execute(async (change) => {
        const campaign = await loadCampaign(change, { quiz_id, creator_id, campaign_id }, 'lock')
        if (!(await storeActions(change, campaign, body)))
          throw conflict(
            'stale_text',
            'Ce texte a été changé dans un autre onglet : copiez le vôtre, puis rechargez la page',
          )
      })
    },

    create: async ({ id: quiz_id, campaignId: campaign_id }, { id: creator_id }) => {
      await deleteExpiredEvidence(db)
      const key = { quiz_id, creator_id, campaign_id }
      const { file, nb_people } = await db.transaction().execute(async (change) => {
        const campaign = await loadCampaign(change, key, 'lock')
        const nb_people = await countPeople(change, campaign)
        const input = { creator_id, nb_total: NB_FIRST_PARTS }
        return { file: await insertEvidence(change, campaign, input), nb_people }
      })
      audit('evidence_made', { actor_id: creator_id, object_id: campaign_id })
      void write(file, key, nb_people)
      return { file: shownFile(file) }
    },

    remove: async ({ id: quiz_id, campaignId: campaign_id }, { id: creator_id }) => {
      const campaign = await loadCampaign(db, { quiz_id, creator_id, campaign_id })
      if (!(await deleteEvidence(db, campaign))) throw missing()
    },

    link: async ({ id: quiz_id, campaignId: campaign_id }, { id: creator_id }) => {
      const campaign = await loadCampaign(db, { quiz_id, creator_id, campaign_id })
      const file = await findEvidence(db, campaign)
      if (file?.status !== 'ready') throw missing()
      const expires_at = Date.now() + LINK_LIFE_MS
      const ordered = { quiz_id, creator_id, campaign_id, file_id: file.id, expires_at }
      const token = links.write({ id: randomUUID(), ...ordered })
      return {
        url: `${BASE_PATH}/quizzes/${quiz_id}/evidence/download?token=${token}`,
        file_name: await zipName(db, campaign),
        expires_at: new Date(expires_at).toISOString(),
      }
    },
  }
}

const missing = () => notFound('Ce dossier n’existe plus : préparez-en un autre')

const countPeople = async (db: Db, campaign: CampaignRow): Promise<number> =>
  (await countGroups(db, campaign)).reduce((sum, { counts }) => sum + totalOf(counts), 0)

const zipName = async (db: Db, { quiz_id, name }: CampaignRow): Promise<string> =>
  fileName(['Dossier de preuves', name], 'zip', await findTimeZoneOfQuiz(db, quiz_id))

type Download = { Params: { id: string }; Querystring: { token?: string } }

/** Registers the route that sends the file of a link once. The ownership of the campaign is checked again. */
const serveDownloads = (
  app: FastifyInstance,
  { db, secretKey, heavyWork }: Pick<EvidenceDeps, 'db' | 'secretKey' | 'heavyWork'>,
): void => {
  const links = createEvidenceLinks(secretKey)
  const key = deriveKey(secretKey, EVIDENCE_PURPOSE)

  /** Yields the pieces of a file in their order. Fails if the file is deleted meanwhile, so that no cut file looks whole. */
  async function* readPieces(
    file: { quiz_id: string; id: string; creator_id: string },
    size_bytes: number,
  ): AsyncGenerator<Buffer> {
    for (let [rank, left] = [0, size_bytes]; left > 0; rank++) {
      const sealed = await findPiece(db, file, rank)
      if (!sealed) throw new Error('the file was deleted while it was sent')
      const piece = unsealBytes(key, pieceLabel(file.id, rank), sealed)
      left -= piece.length
      yield piece
    }
  }

  app.get<Download>(
    `${BASE_PATH}/quizzes/:id/evidence/download`,
    { config: { access: 'link', limits: 'snapshot' }, exposeHeadRoute: false },
    async (request, reply) => {
      const order = links.read(String(request.query.token ?? ''))
      const { quiz_id, creator_id, campaign_id, file_id } = order
      if (quiz_id !== request.params.id) throw notFound()
      const campaign = await loadCampaign(db, { quiz_id, creator_id, campaign_id })
      const file = await findEvidence(db, campaign)
      if (file?.id !== file_id || file.size_bytes === null) throw missing()
      const { size_bytes } = file
      const job = { kind: 'export', owner: creator_id, size: 1 } as const
      const body = await heavyWork.stream(job, reply.raw, async () => {
        await consumeDownloadLink(db, order)
        audit('evidence_downloaded', { actor_id: creator_id, object_id: campaign_id })
        return Readable.from(readPieces({ quiz_id, id: file_id, creator_id }, size_bytes), {
          objectMode: false,
        })
      })
      return reply
        .header('cache-control', 'no-store')
        .header('content-length', size_bytes)
        .type('application/zip')
        .header('content-disposition', attachment(await zipName(db, campaign)))
        .send(body)
    },
  )
}
