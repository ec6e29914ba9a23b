import { z } from 'zod'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import {
  NEWEST_FIRST,
  PARTICIPANT_SORTS,
  SORT_ORDERS,
} from '#domain/statistics/participant-sort.ts'
import {
  figures,
  filterChoices,
  participantFilters,
  questionCounts,
  resultShares,
} from './figures.ts'
import { crosstabCall, keyFiguresCall } from './key-figures.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { text, uuid } from './kit/fields.ts'

const { statistics: at } = calls

const DETAILS_PER_PAGE = 100
const MOST_DETAILS_PER_PAGE = 500
const MOST_SEARCHED = 200
/** Room for the longest value that participants are sorted by, a result's name. */
const LONGEST_CURSOR = 2_000

/** The days that the overview counts one by one. */
export const OVERVIEW_DAYS = 30

/** Reply to one question in words; `choices` lists the texts of the chosen answers, which may hold commas. */
export const writtenReply = z.object({
  question_text: z.string(),
  answer_text: z.string(),
  choices: z.array(z.string()),
})

export const participant = z.object({
  participant_uuid: uuid,
  created_at: z.iso.datetime(),
  email: z.string().nullable(),
  final_result_name: z.string().nullable(),
  answers: z.array(writtenReply),
  /** From the page's coming to the last answer; null when it was not measured. */
  elapsed_seconds: z.int().nullable(),
  /** Whether it looks made by a program (domain/run/submission-checks.ts). */
  is_suspect: z.boolean(),
  /** Of the address that they opened the quiz at: `utm_*` and the names that the quiz declares, those that had a value. */
  parameters: z.record(z.string(), z.string()),
})

/** One of a list; what follows only where it was asked for. */
const listedParticipant = participant.extend({
  score: z.int().nullable().optional(),
  /** What became of them at each tool and webhook that their quiz forwarded to. */
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

/** The figures of one quiz in the list of all, of all its versions together. */
const quizOverview = z.object({
  id: uuid,
  nb_participants: z.int(),
  /** Visits that opened it, at least as many as participants: the first and last step of `figures.visits`. */
  nb_opened: z.int(),
  /** What arrived at the email tools, each tool for itself. */
  nb_delivered: z.int(),
  /** Participants of each of the last 30 days in the zone of the creator, today last. */
  days: z.array(z.int()).length(OVERVIEW_DAYS),
  /** As `figures.results`. */
  results: resultShares,
})

/** What a creator reads (spec §3 « Statistics response », decisions « Statistics »). */
export const statistics = group({
  responses: {
    ...at.responses,
    access: 'creator',
    query: participantFilters.extend({
      limit: z.coerce.number().int().min(1).max(MOST_DETAILS_PER_PAGE).default(DETAILS_PER_PAGE),
      /** Of the page before, which was sorted and searched alike. */
      cursor: z.string().max(LONGEST_CURSOR).optional(),
      /**
       * Equal ones are newest first, and those without come last; 422 where so many cannot be sorted so. By `delivery`, a participant that
       * moved while the pages are read comes again at the end.
       */
      sort: z.enum(PARTICIPANT_SORTS).default(NEWEST_FIRST.sort),
      order: z.enum(SORT_ORDERS).default(NEWEST_FIRST.order),
      /** Of the list alone: those whose address or texts contain these words; 422 where so many cannot be searched. */
      search: text(MOST_SEARCHED).optional(),
      /** Asks for the score and the deliveries of each participant too. */
      outcomes: z.literal('1').optional(),
      /** Asks for the figures too, counted on the same state. */
      figures: z.literal('1').optional(),
      /** Returns the last known counts of a large selection at once, instead of waiting for exact counts (503 `too_slow`). */
      async: z.literal('1').optional(),
    }),
    answer: z.object({
      stats: questionCounts,
      details: z.array(listedParticipant),
      next_cursor: z.string().nullable(),
      figures: figures.optional(),
      /**
       * Only where `async` was asked, and while a selection is being counted: `stats` and `figures` are
       * those of this moment, since when participants came; null: there are none yet.
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
    ...at.texts,
    access: 'creator',
    query: participantFilters.extend({ search: text(MOST_SEARCHED).optional() }),
    answer: z.object({
      texts: z.array(z.object({ text: z.string(), count: z.int() })),
      /** Whether these are all. */
      is_complete: z.boolean(),
    }),
    summary:
      'Les textes donnés à une question ouverte qui contiennent ces mots, les plus fréquents d’abord',
  },
  keyFigures: { ...at.keyFigures, access: 'creator', ...keyFiguresCall },
  crosstab: { ...at.crosstab, access: 'creator', ...crosstabCall },
  overview: {
    ...at.overview,
    access: 'creator',
    answer: z.object({ quizzes: z.array(quizOverview) }),
    summary: 'Les chiffres principaux de chaque quiz du compte',
  },
})

export type Participant = z.output<typeof participant>
export type ListedParticipant = z.output<typeof listedParticipant>
export type QuizOverview = z.output<typeof quizOverview>
