import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { QUIZ_TYPES } from '#domain/common/vocabulary.ts'
import { SHARED_PARTS, SHARED_TOKEN } from '#domain/statistics/shared-statistics.ts'
import { figures, questionCounts } from './figures.ts'

const { statisticsLinks: statisticsLinkCalls, sharedStatistics: sharedStatisticsCalls } = calls

/**
 * Refusal of a revoked or unknown link, or of a link to a deleted quiz. The sentence is the same, so that links
 * cannot be guessed.
 */
export const NO_SHARED_STATISTICS = 'Ces chiffres ne sont pas ou plus partagés'

const link = z.object({
  /** Token of the address /statistiques/{token}. */
  token: z.string(),
  created_at: z.iso.datetime(),
  /** Last day, in the zone of the creator, on which the link was opened; null before the first opening. */
  opened_on: z.iso.date().nullable(),
})

/** Link that shows the figures of a quiz without an account (docs/decisions/038). */
export const statisticsLinks = group({
  get: {
    ...statisticsLinkCalls.get,
    access: 'quiz_owner',
    key_scope: 'none',
    answer: z.object({ link: link.nullable() }),
    summary: 'Le lien qui montre les chiffres d’un quiz à qui l’a',
  },
  create: {
    ...statisticsLinkCalls.create,
    access: 'quiz_owner',
    key_scope: 'none',
    creates: true,
    repeats: true,
    answer: z.object({ link }),
    summary: 'Partager les chiffres d’un quiz ; 201, ou 200 avec le lien qui existe déjà',
  },
  revoke: {
    ...statisticsLinkCalls.revoke,
    access: 'quiz_owner',
    key_scope: 'none',
    summary:
      'Cesser le partage : le lien ne mène aussitôt plus nulle part, et le suivant en est un autre',
  },
})

/** Figures behind a shared link, without an account. */
export const sharedStatistics = group({
  get: {
    ...sharedStatisticsCalls.get,
    access: 'link',
    limits: 'shared_statistics',
    params: z.object({ token: z.string().regex(SHARED_TOKEN, { error: NO_SHARED_STATISTICS }) }),
    answer: z.object({
      quiz: z.object({ name: z.string(), type: z.enum(QUIZ_TYPES) }),
      /** Time of the count, which covers all participants of all versions. */
      counted_at: z.iso.datetime(),
      /** Time zone of the days, which is the zone of the creator. */
      time_zone: z.string(),
      /** French name of the times of this zone, as in `preferences.get`. */
      time_zone_name: z.string(),
      nb_participants: z.int(),
      /** See `statistics.keyFigures`. */
      nb_opened: z.int(),
      /** Figures as in `statistics.responses`, without texts of participants; null for fewer than five participants. */
      shared: z
        .object({
          stats: questionCounts,
          figures: figures.pick({ ...SHARED_PARTS, questions: true }),
        })
        .nullable(),
    }),
    summary: 'Les chiffres d’un quiz partagés par un lien, sans rien de personnel',
  },
})
