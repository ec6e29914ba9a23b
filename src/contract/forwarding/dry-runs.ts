import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { uuid } from '#contract/kit/fields.ts'
import { MAPPING_SOURCES } from '#domain/deliveries/field-mappings.ts'

const { dryRuns: dryRunCalls } = calls

/** Maximum length of a cursor, which contains the time and the id of a participant. */
const MAX_CURSOR_LENGTH = 200

/** Participants that a rule or a field mapping would have concerned, if it had applied from the beginning. */
export const dryRuns = group({
  get: {
    ...dryRunCalls.get,
    access: 'quiz_owner',
    query: z.object({
      /** Rule for this result. */
      result_id: uuid.optional(),
      /** Rule for this answer, together with its question. */
      answer_id: uuid.optional(),
      /** Rule for this tier, together with its dimension. */
      tier_id: uuid.optional(),
      /** Dimension of `tier_id`, or of the source 'dimension'. */
      dimension_id: uuid.optional(),
      /** Question of `answer_id`, or of the source 'question'. */
      question_id: uuid.optional(),
      /** Mapping of a reply (with `question_id`), of the score, of the result or of a dimension (with `dimension_id`). */
      source: z.enum(MAPPING_SOURCES).optional(),
      /** Cursor of the previous page. */
      cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
      /**
       * '1' returns the last count of a large selection at once, instead of waiting for the exact count (503
       * `too_slow`).
       */
      async: z.literal('1').optional(),
    }),
    answer: z.object({
      /** All participants of the quiz. */
      nb_participants: z.int(),
      /**
       * Matching participants with an address who may be forwarded. Null while a large quiz is counted for the first
       * time.
       */
      nb_matching: z.int().nullable(),
      /** Matching participants, newest first. */
      participants: z.array(
        z.object({
          participant_uuid: uuid,
          created_at: z.iso.datetime(),
          email: z.string(),
          /** First and last name; null if not asked or left blank. */
          name: z.string().nullable(),
          /** Value of the mapping; null for a rule. */
          value: z.string().nullable(),
        }),
      ),
      next_cursor: z.string().nullable(),
      /** Present only with `async`, while participants are counted: time of `nb_matching`; null if there is none. */
      as_of: z.object({ counted_at: z.iso.datetime().nullable() }).optional(),
    }),
    summary:
      'Les participants qu’une règle, ou un champ envoyé, aurait concernés : combien, et lesquels. Rien n’est envoyé',
  },
})

/** Participant that a rule or a field mapping would have concerned. */
export type DryRunParticipant = z.output<(typeof dryRuns.get)['answer']>['participants'][number]
