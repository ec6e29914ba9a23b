import { z } from 'zod'
import { MOST_FILTER_ANSWERS } from '#domain/filter-choices.ts'
import { isParameterFilter, MOST_FILTER_PARAMETERS } from '#domain/sources.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { text } from './text-shapes.ts'

/** Day in the time zone of the creator, within the years that PostgreSQL accepts. */
const day = z.iso.date().refine((value) => value >= '2000-01-01' && value <= '2999-12-31', {
  error: 'La date est hors des limites',
})

const UUID = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}'
const ANSWER = `${UUID}(:other|:\\d{1,2}|@\\d{1,9})?`
const filterAnswer = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${ANSWER}(,${ANSWER}){0,${MOST_FILTER_ANSWERS - 1}}$`), {
    error: 'Identifiant invalide',
  })
const filterResult = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^${UUID}(@\\d{1,9})?$`), { error: 'Identifiant invalide' })

/** Five values in which each letter takes nine characters. */
const LONGEST_FILTER = 10_000

/** Which participants the figures, the list and the exports are about; all of them when empty. */
export const participantFilters = z.object({
  /** How their address begins, or its domain, or the last word before the @; in capitals or not. */
  email: text(LIMITS.email).optional(),
  /** Id of the result they got; `<result id>@2` of those who got it by the name that it has in version 2. */
  result: filterResult.optional(),
  /**
   * Id of an answer they chose, or `<answer id>@2` as version 2 words it; `<question id>:other` for « Autre », `<question id>:7` for a number of a scale. Up to
   * five, with commas between: of one question any of them, of several questions each.
   */
  answer: filterAnswer.optional(),
  /**
   * Parameters that they came with, as the query of an address: `utm_source=lettre&ref=a%26b`, each of them, up to five;
   * an empty value is of those without.
   */
  parameters: text(LONGEST_FILTER)
    .refine(isParameterFilter, {
      error: `${MOST_FILTER_PARAMETERS} paramètres au plus, de la forme nom=valeur`,
    })
    .optional(),
  /** First and last day in the time zone of the creator, both included. */
  from: day.optional(),
  to: day.optional(),
})

export type ParticipantFilters = z.output<typeof participantFilters>
