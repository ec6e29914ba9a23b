import { z } from 'zod'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp, uuid } from './kit/fields.ts'

const { progress: progressCalls } = calls

/** File formats of the table of people. */
export const PROGRESS_FORMATS = ['csv_excel', 'csv', 'xlsx'] as const

const measure = z.object({
  /** Name of the dimension, or « Score ». */
  name: z.string(),
  /** Replies with this figure in each campaign; equal if people are compared. */
  nb_before: z.int(),
  nb_after: z.int(),
  /** Means in percent of the possible points, and the mean change in points with its 95 % interval; null for too few people. */
  change: z
    .object({
      before_mean: z.number(),
      after_mean: z.number(),
      mean: z.number(),
      low: z.number(),
      high: z.number(),
    })
    .nullable(),
})
/** Change of the score or of a dimension. */
export type ShownMeasure = z.output<typeof measure>

const comparedCampaign = z.object({
  campaign_id: uuid,
  name: z.string(),
  quiz_id: uuid,
  quiz_name: z.string(),
  starts_at: timestamp,
  is_anonymous: z.boolean(),
})
/** Campaign that can be compared. */
export type ComparableCampaign = z.output<typeof comparedCampaign>

const comparison = z.object({
  before: comparedCampaign,
  /** True if people are compared; false for the means of two campaigns of which one is anonymous. */
  is_paired: z.boolean(),
  /** Replies of each campaign, and people who replied to both; null without a comparison of people. */
  nb_before: z.int(),
  nb_after: z.int(),
  nb_people: z.int().nullable(),
  measures: z.array(measure),
  /** Changes by group; an empty list unless two groups exist. The name is null for people without a group. */
  groups: z.array(z.object({ group_name: z.string().nullable(), measures: z.array(measure) })),
  /** Number of further groups with fewer people. */
  nb_left_out_groups: z.int(),
  /** Names of dimensions that only one of the campaigns has. */
  left_out_dimensions: z.array(z.string()),
})
/** Comparison of two campaigns. */
export type ShownProgress = z.output<typeof comparison>

const shown = z.object({
  /** Campaign that this campaign names as its campaign before; null without one. */
  before_campaign_id: uuid.nullable(),
  /** Campaigns of the creator that began earlier and can be compared, newest first. */
  candidates: z.array(comparedCampaign),
  /** Comparison with the given or the named campaign; null without one. */
  progress: comparison.nullable(),
})

/** Comparison of a campaign with an earlier one (docs/decisions/087). */
export const progress = group({
  get: {
    ...progressCalls.get,
    access: 'quiz_owner',
    query: z.object({
      /** Earlier campaign; by default the named one. */
      before: uuid.optional(),
    }),
    answer: shown,
    summary:
      'La comparaison de deux campagnes, personne par personne : évolution du score et des dimensions, avec un intervalle à 95 %',
  },
  setBefore: {
    ...progressCalls.setBefore,
    access: 'quiz_owner',
    body: z.object({ before_campaign_id: uuid.nullable() }),
    summary:
      'Nommer la campagne d’avant : les participants voient leur évolution sur leur page et dans leur rapport',
  },
  people: {
    ...progressCalls.people,
    access: 'quiz_owner',
    key_scope: 'lecture',
    body: z.object({ format: z.enum(PROGRESS_FORMATS), before: uuid.optional() }),
    answer: z.object({
      /** Address on this server that downloads the file once, without a token of the session. */
      url: z.string(),
      file_name: z.string(),
      expires_at: timestamp,
    }),
    summary:
      'Un lien de courte durée vers l’évolution de chaque personne en fichier (CSV ou Excel)',
  },
})
