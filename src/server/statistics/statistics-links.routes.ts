import { createHash, randomBytes } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { NO_SHARED_STATISTICS } from '#contract/statistics/statistics-links.ts'
import { timeZoneName } from '#domain/common/time-zone-labels.ts'
import { sharedStatistics } from '#domain/statistics/shared-statistics.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { notFound, unavailable } from '#server/http/edge/errors.ts'
import { type Handlers, Reply, signalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { deriveKey, seal, unseal } from '#server/runtime/sealing.ts'
import { readDayTotals } from './figures/key-figures.store.ts'
import type { ViewCounter } from './figures/read-figures.ts'
import type { ReadView } from './figures/read-view.ts'
import {
  deleteLink,
  findLink,
  insertLink,
  openLink,
  type StoredLink,
} from './statistics-links.store.ts'

/** Purpose for which the key of sealed tokens is derived. */
export const LINKS_PURPOSE = 'statistics/links'
/** Returns the label that binds a sealed token to its quiz. */
export const linkLabel = (quiz_id: string): string => `statistics_link|${quiz_id}`

/** Size of a token: 144 bits, as `SHARED_TOKEN` expects. */
const TOKEN_BYTES = 18
const ALL_TIME = { from: undefined, before: undefined }
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Handlers of `statisticsLinks` in contract/statistics/statistics-links.ts. */
export const statisticsLinksHandlers = ({
  db,
  secretKey,
}: {
  db: Db
  secretKey: string | Uint8Array
}): Handlers<typeof api.statisticsLinks> => {
  const key = deriveKey(secretKey, LINKS_PURPOSE)
  const toShownLink = (quiz_id: string, { sealed_token, created_at, opened_on }: StoredLink) => ({
    token: unseal(key, linkLabel(quiz_id), sealed_token),
    created_at,
    opened_on,
  })
  return {
    get: async ({ id: quiz_id }, { id: creator_id }) => {
      await loadQuiz(db, { quiz_id, creator_id })
      const link = await findLink(db, quiz_id)
      return { link: link ? toShownLink(quiz_id, link) : null }
    },

    create: async ({ id: quiz_id }, { id: creator_id }) => {
      const { is_new, link } = await db.transaction().execute(async (save) => {
        // The quiz is locked, so that no revocation happens between the insertion and the reading.
        await loadQuiz(save, { quiz_id, creator_id }, 'lock')
        const token = randomBytes(TOKEN_BYTES).toString('base64url')
        const sealed_token = seal(key, linkLabel(quiz_id), token)
        const row = { quiz_id, token_hash: hashOf(token), sealed_token }
        const is_new = await insertLink(save, row)
        const stored = await findLink(save, quiz_id)
        if (!stored) throw new Error('The link that was stored is not there')
        return { is_new, link: toShownLink(quiz_id, stored) }
      })
      if (is_new) audit('statistics_shared', { actor_id: creator_id, object_id: quiz_id })
      return new Reply(is_new ? 201 : 200, { link })
    },

    revoke: async ({ id: quiz_id }, { id: creator_id }) => {
      const wasShared = await db.transaction().execute(async (save) => {
        await loadQuiz(save, { quiz_id, creator_id }, 'lock')
        return deleteLink(save, quiz_id)
      })
      if (wasShared) audit('statistics_unshared', { actor_id: creator_id, object_id: quiz_id })
      return undefined
    },
  }
}

/**
 * Handlers of `sharedStatistics`. The link is looked up at each call, so that a revocation takes effect at once
 * in every process.
 */
export const sharedStatisticsHandlers = ({
  db,
  readView,
  counting,
  heavyWork,
}: {
  db: Db
  heavyWork: Pick<HeavyWork, 'run'>
  readView: ReadView
  counting: ViewCounter
}): Handlers<typeof api.sharedStatistics> => {
  return {
    get: async ({ token }, _caller, request) => {
      const opened = await openLink(db, hashOf(token))
      if (!opened) throw notFound(NO_SHARED_STATISTICS)
      const { quiz_id, creator_id, time_zone } = opened
      const signal = signalOf(request)
      const query = { quiz_id, creator_id, filters: {}, signal }
      const network = networkKey(request.ip)
      const job = { kind: 'figures', owner: creator_id, network, size: 1, signal } as const
      return heavyWork.run(job, async () => {
        const { view, quiz, nb_opened, counted } = await readView(query, async (state, view) => {
          const { quiz } = await loadQuiz(state, { quiz_id, creator_id })
          const isLarge = counting.isLarge(view, true)
          const counted = isLarge ? null : await counting.now(state, view, true)
          const { opened } = await readDayTotals(state, quiz_id, ALL_TIME, { time_zone })
          return { view, quiz, nb_opened: opened.now, counted }
        })
        const { stats, figures, as_of } = counted ?? (await counting.large(view, query, true))
        // Only the first count of a large quiz has no figures yet.
        if (!figures) throw unavailable()
        return {
          quiz: { name: quiz.name, type: quiz.type },
          counted_at: as_of?.counted_at ?? new Date().toISOString(),
          time_zone,
          time_zone_name: timeZoneName(time_zone),
          nb_opened,
          nb_participants: figures.nb_participants,
          shared: sharedStatistics({ stats, figures }),
        }
      })
    },
  }
}
