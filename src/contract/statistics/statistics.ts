import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { uuid } from '#contract/kit/fields.ts'
import { filterChoices, participantFilters, searchedText } from '#contract/participant-filters.ts'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import { CONFIRMATION_STATES } from '#domain/confirmations/confirmation.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import type { WrittenDimension } from '#domain/run/stored-dimensions.ts'
import {
  NEWEST_FIRST,
  PARTICIPANT_SORTS,
  SORT_ORDERS,
} from '#domain/statistics/participant-sort.ts'
import type { QuestionQuality } from '#domain/statistics/question-quality.ts'
import { figures, questionCounts, resultShares } from './figures.ts'
import { crosstabCall, keyFiguresCall } from './key-figures.ts'

const { statistics: statisticsCalls } = calls

const DETAILS_PER_PAGE = 100
const MAX_DETAILS_PER_PAGE = 500
/** Maximum length of a cursor, which contains the sort value, at most a result name. */
const MAX_CURSOR_LENGTH = 2_000

/** Number of days in the overview. */
export const OVERVIEW_DAYS = 30

/** Reply to one question in words; `choices` lists the texts of the chosen answers, which may hold commas. */
export const writtenReply = z.object({
  question_text: z.string(),
  answer_text: z.string(),
  choices: z.array(z.string()),
})

const writtenDimension = z.object({
  name: z.string(),
  percent: z.int(),
  tier: z.string().nullable(),
}) satisfies z.ZodType<WrittenDimension>

/** Participant with reply texts. */
export const participant = z.object({
  participant_uuid: uuid,
  created_at: z.iso.datetime(),
  email: z.string().nullable(),
  /** State of the confirmation of the address; null if the participant was not asked. */
  email_confirmation: z.enum(CONFIRMATION_STATES).nullable(),
  /** Replies to the questions with a contact role; null if not asked, not reached or left blank. */
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  phone: z.string().nullable(),
  final_result_name: z.string().nullable(),
  /** Dimensions that the participant was shown; `tier` is null if the percent is in no tier. */
  dimensions: z.array(writtenDimension),
  answers: z.array(writtenReply),
  /** Seconds from the opening of the page to the last answer; null if not measured. */
  elapsed_seconds: z.int().nullable(),
  /** True if the submission looks automated (domain/run/submission-checks.ts). */
  is_suspect: z.boolean(),
  /** Parameters of the page address with values: `utm_*` and the names declared by the quiz. */
  parameters: z.record(z.string(), z.string()),
})

/** Participant in a list. The further fields are present only on request. */
const listedParticipant = participant.extend({
  score: z.int().nullable().optional(),
  /** Percent of the possible points, as the certificate prints it; null without points. */
  percent: z.int().nullable().optional(),
  /** True if the certificate was downloaded or sent. */
  has_certificate: z.boolean().optional(),
  /** Deliveries of the participant to each tool and webhook. */
  deliveries: z
    .array(
      z.object({
        provider: z.enum(CHANNELS),
        connection_id: uuid,
        status: z.enum(DELIVERY_STATUSES),
      }),
    )
    .optional(),
})

/** Figures of one quiz in the list of quizzes, over all its versions. */
const quizOverview = z.object({
  id: uuid,
  nb_participants: z.int(),
  /** Visits that opened the quiz, at least the number of participants: first step of `figures.visits`. */
  nb_opened: z.int(),
  /** Deliveries that arrived at email tools, counted per tool. */
  nb_delivered: z.int(),
  /** Participants of each of the last 30 days in the creator's time zone; today is last. */
  days: z.array(z.int()).length(OVERVIEW_DAYS),
  /** See `figures.results`. */
  results: resultShares,
  /** True if the quiz is published and publishing the draft would change the public page. */
  has_unpublished_changes: z.boolean(),
})

/** Statistics of a creator (product 10.1). */
export const statistics = group({
  responses: {
    ...statisticsCalls.responses,
    access: 'quiz_owner',
    query: participantFilters.extend({
      limit: z.coerce.number().int().min(1).max(MAX_DETAILS_PER_PAGE).default(DETAILS_PER_PAGE),
      /** Cursor of the previous page with the same sort order and search. */
      cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
      /**
       * Sort order. Ties are newest first, missing values last; 422 if too many participants match. By `delivery`, a
       * participant whose state changes while pages are read may occur again at the end.
       */
      sort: z.enum(PARTICIPANT_SORTS).default(NEWEST_FIRST.sort),
      order: z.enum(SORT_ORDERS).default(NEWEST_FIRST.order),
      /**
       * Search, only for the list: in addresses, texts, beginnings of words of the name, and first digits of phone
       * numbers. Among more than 50,000 participants only beginnings of addresses, names and numbers are searched. A
       * search of these without a match is answered 422.
       */
      search: searchedText.optional(),
      /** '1' adds score and deliveries of each participant. */
      outcomes: z.literal('1').optional(),
      /** '1' adds the figures, counted in the same database snapshot. */
      figures: z.literal('1').optional(),
      /**
       * '1' returns the last counts of a large selection at once, instead of waiting for exact counts (503
       * `too_slow`).
       */
      async: z.literal('1').optional(),
    }),
    answer: z.object({
      stats: questionCounts,
      details: z.array(listedParticipant),
      next_cursor: z.string().nullable(),
      figures: figures.optional(),
      /**
       * Present only with `async`, while a selection is counted: time of `stats` and `figures`; null if there are
       * none yet.
       */
      as_of: z
        .object({
          counted_at: z.iso.datetime().nullable(),
          nb_all_participants: z.int(),
          choices: filterChoices,
        })
        .optional(),
    }),
    summary:
      'Les nombres par question, et les participants, des plus récents aux plus anciens sauf autre tri',
  },
  texts: {
    ...statisticsCalls.texts,
    access: 'quiz_owner',
    query: participantFilters.extend({ search: searchedText.optional() }),
    answer: z.object({
      texts: z.array(z.object({ text: z.string(), count: z.int() })),
      /** True if the list is complete. */
      is_complete: z.boolean(),
    }),
    summary:
      'Les textes donnés à une question ouverte qui contiennent ces mots, les plus fréquents d’abord',
  },
  keyFigures: { ...statisticsCalls.keyFigures, access: 'quiz_owner', ...keyFiguresCall },
  crosstab: { ...statisticsCalls.crosstab, access: 'quiz_owner', ...crosstabCall },
  overview: {
    ...statisticsCalls.overview,
    access: 'creator',
    answer: z.object({ quizzes: z.array(quizOverview) }),
    summary: 'Les chiffres principaux de chaque quiz du compte',
  },
})

/** Participant with reply texts. */
export type Participant = z.output<typeof participant>
/** Participant in a list. */
export type ListedParticipant = z.output<typeof listedParticipant>
/** Figures of one quiz in the list of quizzes. */
export type QuizOverview = z.output<typeof quizOverview>

const { questionQuality: questionQualityCalls } = calls

const judged = z.object({
  id: uuid,
  text: z.string(),
  nb_asked: z.int(),
  /** Correlation, from -1 to 1. */
  correlation: z.number().nullable(),
  alpha_without: z.number().nullable(),
  /** Influence on the result, from 0 to 1. */
  decides: z.number(),
  unused_answers: z.array(z.object({ id: uuid, text: z.string() })),
})

/** Quality of the questions of a published score quiz. */
export const questionQuality = group({
  get: {
    ...questionQualityCalls.get,
    access: 'quiz_owner',
    answer: z.object({
      /** True if only the newest participants were read, because there are too many. */
      is_newest: z.boolean(),
      /** Number of participants whose replies do not fit the published version. */
      nb_left_out: z.int(),
      quality: z
        .object({
          nb_participants: z.int(),
          alpha: z.number().nullable(),
          questions: z.array(judged),
        })
        .nullable() satisfies z.ZodType<QuestionQuality | null>,
      /** Reason for a missing analysis: the version has no score, or fewer than 30 participants fit it. */
      reason: z.enum(['no_score', 'too_few']).optional(),
    }),
    summary: 'Si les questions de la version publiée distinguent bien les participants',
  },
})
