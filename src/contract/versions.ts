import { z } from 'zod'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import type { Replay } from '#domain/publishing/replay.ts'
import { CHANGED_PARTS, type VersionChanges } from '#domain/publishing/version-changes.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp, uuid } from './kit/fields.ts'
import { snapshot } from './kit/shapes.ts'
import { MAX_POSTGRES_INTEGER } from './public-quiz.ts'

const { versions: versionCalls } = calls

const counts = z.object({ added: z.int(), removed: z.int(), changed: z.int() })
const versionChanges = z.object({
  questions: counts,
  answers: counts,
  text_blocks: counts,
  results: counts,
  tiers: z.array(z.string()),
  contact_roles: z.array(z.enum(CONTACT_ROLES)),
  dimensions: counts,
  dimension_tiers: z.array(z.string()),
  text_variants: counts,
  parts: z.array(z.enum(CHANGED_PARTS)),
}) satisfies z.ZodType<VersionChanges>

const version = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, { error: 'Version introuvable' })
  .transform(Number)

const listedVersion = z.object({
  version: z.int(),
  published_at: timestamp,
  nb_responses: z.int(),
  /** True for the last published version, which visitors get unless the quiz is withdrawn. */
  is_current: z.boolean(),
  /** Changes since the previous version; null for the first. */
  changes: versionChanges.nullable(),
})

/** Published versions of a quiz, kept as long as the quiz (docs/decisions/034). */
export const versions = group({
  list: {
    ...versionCalls.list,
    access: 'quiz_owner',
    query: z.object({
      before: z.coerce.number().int().min(1).max(MAX_POSTGRES_INTEGER).optional(),
    }),
    answer: z.object({
      versions: z.array(listedVersion),
      /** Value of `before` for the next page; null on the last page. */
      next_before: z.int().nullable(),
    }),
    summary:
      'Les versions publiées, des plus récentes aux plus anciennes, avec ce que chacune a changé',
  },
  get: {
    ...versionCalls.get,
    access: 'quiz_owner',
    params: z.object({ version }),
    answer: z.object({
      snapshot,
      /** Ids of the version that another quiz uses meanwhile. */
      taken_ids: z.array(uuid),
      /** Images of the version that no longer exist. */
      missing_image_ids: z.array(uuid),
    }),
    summary: 'Une version publiée, et ce qui n’en peut pas être rétabli tel quel',
  },
})

/** Published version in a list. */
export type ListedVersion = z.output<typeof listedVersion>

const { replay: replayCalls } = calls

const named = z.object({ id: uuid, name: z.string() }).nullable()

const tierState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tier'), id: uuid, title: z.string() }),
  z.object({ kind: z.literal('no_tier') }),
  z.object({ kind: z.literal('hidden') }),
])

const dimensionReplay = z.object({
  id: uuid,
  name: z.string(),
  nb_compared: z.int(),
  nb_changed: z.int(),
  moves: z.array(z.object({ from: tierState, to: tierState, count: z.int() })),
  nb_new: z.int(),
  nb_deleted: z.int(),
})

/** Effects of publishing the draft on existing participants. */
export const replay = group({
  get: {
    ...replayCalls.get,
    access: 'quiz_owner',
    answer: z.object({
      /** Number of stored participants. `nb_replayed` is smaller if only the newest are replayed. */
      nb_participants: z.int(),
      nb_replayed: z.int(),
      results: z
        .object({
          nb_changed: z.int(),
          moves: z.array(z.object({ from: named, to: named, count: z.int() })),
        })
        .nullable(),
      dimensions: z.array(dimensionReplay),
      nb_lost_replies: z.int(),
      nb_losing: z.int(),
    }) satisfies z.ZodType<Replay>,
    summary:
      'Les résultats et les paliers que les participants obtiendraient avec le brouillon ; rien n’est changé',
  },
})
