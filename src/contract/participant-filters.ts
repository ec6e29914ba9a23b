import { z } from 'zod'
import { CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { CONFIRMATION_STATES } from '#domain/confirmations/confirmation.ts'
import {
  isParameterFilter,
  MAX_FILTER_ANSWERS,
  MAX_FILTER_PARAMETERS,
  MAX_FILTER_TIERS,
} from '#domain/statistics/filter-choices.ts'
import { CERTIFICATE_FILTERS, isPercentFilter } from '#domain/statistics/percent-filters.ts'
import { text, uuid } from './kit/fields.ts'

/** Day in the time zone of the creator, within the years that PostgreSQL accepts. */
const day = z.iso.date().refine((value) => value >= '2000-01-01' && value <= '2999-12-31', {
  error: 'La date est hors des limites',
})

const UUID = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}'
const ANSWER = `${UUID}(:other|:\\d{1,2}|@\\d{1,9})?`
const filterAnswer = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${ANSWER}(,${ANSWER}){0,${MAX_FILTER_ANSWERS - 1}}$`), {
    error: 'Identifiant invalide',
  })
const TIER = `${UUID}(@\\d{1,9})?`
const filterTier = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${TIER}(,${TIER}){0,${MAX_FILTER_TIERS - 1}}$`), {
    error: 'Identifiant invalide',
  })
const filterResult = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${UUID}(@\\d{1,9})?$`), { error: 'Identifiant invalide' })

/** Maximum length of a parameter filter: five values whose letters take nine characters each when encoded. */
const MAX_FILTER_LENGTH = 10_000

/** Maximum length of a filter of percents: five ids of dimensions with their ranges. */
const MAX_PERCENTS_LENGTH = 250

/** Search words for a list of participants or of texts. */
export const searchedText = text(200)

/** Filters of participants for figures, lists and exports; empty means all participants. */
export const participantFilters = z.object({
  /**
   * Beginning of the email address, of its domain or of the last word before the @. Also beginnings of words of the
   * name, or of the phone number. Case is ignored, in names accents too.
   */
  email: text(LIMITS.email).optional(),
  /** Id of the result; `<result id>@2` selects the participants who got it under its name in version 2. */
  result: filterResult.optional(),
  /**
   * Id of a chosen answer, or `<answer id>@2` in the words of version 2; `<question id>:other` for « Autre »,
   * `<question id>:7` for a number of a scale. Up to five values separated by commas: any of one question, all of
   * several questions.
   */
  answer: filterAnswer.optional(),
  /**
   * Id of a tier of a dimension, or `<tier id>@2` under its title in version 2. Up to five values separated by commas:
   * any of one dimension, all of several dimensions.
   */
  tier: filterTier.optional(),
  /**
   * Range of percents of the possible points: `score:50-100` as certificates print the percent, or `<dimension id>:0-49`.
   * Up to five ranges separated by commas, which must all hold. The score of a quiz with jumps has no such filter.
   */
  percent: text(MAX_PERCENTS_LENGTH)
    .toLowerCase()
    .refine(isPercentFilter, { error: 'Un pourcentage est de la forme score:50-100' })
    .optional(),
  /** Participants whose certificate was downloaded or sent, or the others. */
  certificate: z.enum(CERTIFICATE_FILTERS).optional(),
  /** Participants who confirmed their address, have still to confirm it, or did not in time. */
  confirmation: z.enum(CONFIRMATION_STATES).optional(),
  /** Id of a campaign: participants who replied with one of its invitations. */
  campaign: z.uuid({ error: 'Identifiant invalide' }).toLowerCase().or(z.literal('')).optional(),
  /** Name of a group of invited people, of the filtered campaign or of all. */
  group: text(CAMPAIGN_LIMITS.group_name).optional(),
  /**
   * Up to five parameters of the page address, written as a query: `utm_source=lettre&ref=a%26b`. All must match; an
   * empty value selects participants without the parameter.
   */
  parameters: text(MAX_FILTER_LENGTH)
    .refine(isParameterFilter, {
      error: `${MAX_FILTER_PARAMETERS} paramètres au plus, de la forme nom=valeur`,
    })
    .optional(),
  /** First and last day in the time zone of the creator, both included. */
  from: day.optional(),
  to: day.optional(),
})

/** Validated filters of participants. */
export type ParticipantFilters = z.output<typeof participantFilters>

/** Values by which participants can be filtered. */
export const filterChoices = z.object({
  /** Results with their values for the filter `result`. */
  results: z.array(z.object({ id: z.string(), name: z.string() })),
  questions: z.array(
    z.object({
      id: uuid,
      text: z.string(),
      /** Answers with their values for the filter `answer`. */
      answers: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
  /** Dimensions with tiers. */
  dimensions: z.array(
    z.object({
      id: uuid,
      name: z.string(),
      /** Tiers with their values for the filter `tier`. */
      tiers: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
  /** Score and dimensions whose percents the filter `percent` accepts; absent without any. */
  percents: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  /** Campaigns with their groups, for the filters `campaign` and `group`; absent without any. */
  campaigns: z
    .array(z.object({ id: uuid, name: z.string(), groups: z.array(z.string()) }))
    .optional(),
  /** Present if a version gives certificates. */
  has_certificates: z.literal(true).optional(),
})
