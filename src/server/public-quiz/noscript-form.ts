import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_POSTGRES_INTEGER, taking } from '#contract/public-quiz.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { CONSENT_FIELD } from '#domain/questionnaire/consent.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Steps } from '#domain/run/path.ts'
import { repliesOf } from '#domain/run/replies.ts'
import { HONEYPOT_FIELD } from '#domain/run/submission-checks.ts'
import { lastStep } from '#domain/statistics/visits.ts'
import { forbidden, invalid } from '#server/http/edge/errors.ts'
import { parseShape } from '#server/http/edge/mount.ts'

/** A form posted without scripts, validated as a submission. */
export type NoscriptForm = {
  replies: Replies
  /** The wording that was agreed to; 0 of a box left unticked, undefined where there was none. */
  consent_version: number | undefined
  participant_uuid: string | undefined
  version: number | undefined
  /** Whether the field that no person sees was filled in. */
  is_trapped: boolean
  /** The query of the address that the visit began at. */
  parameters: string
  /** The page to turn to, from 0; -1 is the welcome. */
  page_index: number
  /** The steps that were counted of this visit; none of one that begins. */
  counted: Steps
}

const PARTICIPANT = 'participant_uuid'
/** The fields that are no replies. */
const OWN_FIELDS = [PARTICIPANT, HONEYPOT_FIELD, CONSENT_FIELD]
/**
 * Twice as many as questions, of which some have several replies or a text of their own; the participant, the trap, and
 * the box of consent with the field that says it was shown.
 */
const MOST_FIELDS = 2 * LIMITS.questions + 4
/** Of the query of an address, which is part of every address of the run that began there. */
const LONGEST_PARAMETERS = 2_000
/** The largest form as it arrives, where a letter takes up to nine bytes: `%E2%80%99` is a ’. */
export const MAX_FORM_BYTES = 65_536

/** The most of a query that lists steps. */
const LONGEST_LIST = 4 * LIMITS.pages

/** The steps of a query that a path left out, with points between them; none of anything else. */
export const leftOut = z
  .string()
  .max(LONGEST_LIST)
  .regex(/^\d{1,3}(\.\d{1,3})*$/)
  .transform((text) => text.split('.').map(Number))
  .optional()
  .catch(undefined)

/** The query of a form's address; values changed by hand count as absent. */
const query = z.object({
  version: z.coerce.number().int().min(1).max(MAX_POSTGRES_INTEGER).optional().catch(undefined),
  // -1: the welcome.
  page: z.coerce.number().int().min(-1).max(LIMITS.pages).catch(0),
  step: z.coerce.number().int().min(0).max(lastStep(LIMITS.pages)).catch(0),
  left_out: leftOut,
  came: z.string().optional().catch(undefined),
  participant: z.guid().toLowerCase().optional().catch(undefined),
})

/**
 * The text of a posted form. Throws a refusal (422) for too many fields, on the bytes as they arrived:
 * decoding thousands of fields first would block every other request.
 */
export const readFormText = (bytes: Buffer): string => {
  let nb_fields = 0
  let end = -1
  do {
    const next = bytes.indexOf('&', end + 1)
    end = next === -1 ? bytes.length : next
    if (++nb_fields > MOST_FIELDS) throw invalid(`${MOST_FIELDS} champs au plus`)
  } while (end < bytes.length)
  return bytes.toString()
}

/** Reads a posted form; throws a refusal when it is not one that our pages send. */
export const readNoscriptForm = (request: FastifyRequest): NoscriptForm => {
  const text = typeof request.body === 'string' ? request.body : ''
  const typed = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
    name,
    plain(value),
  ])
  const fields = new Map(typed)
  const { version, page, step, left_out, came, participant } = query.parse(request.query)
  const participant_uuid = fields.get(PARTICIPANT) ?? participant
  const is_trapped = Boolean(fields.get(HONEYPOT_FIELD))
  const agreed = fields.get(CONSENT_FIELD)
  const answers = repliesOf(typed.filter(([name]) => !OWN_FIELDS.includes(name)))
  const consent_version = agreed === undefined ? undefined : Number(agreed)
  const given = { answers, participant_uuid, version, consent_version }
  const body = parseShape(taking.submit.body, given)
  return {
    replies: body.answers,
    consent_version: body.consent_version ?? undefined,
    participant_uuid: body.participant_uuid,
    version,
    is_trapped,
    parameters: (came ?? queryBefore(request)).slice(0, LONGEST_PARAMETERS),
    page_index: page,
    counted: { from: 0, to: step, left_out },
  }
}

/**
 * The query of the address that a run began at. The page that all visitors open is the same for each, so that its form
 * cannot carry what its address says, nor a step; those that follow do.
 */
const queryBefore = ({ headers, query }: FastifyRequest): string => {
  const page = headers.referer ?? ''
  if (Object.hasOwn(Object(query), 'step')) return ''
  return URL.canParse(page) && new URL(page).pathname.startsWith('/q/') ? new URL(page).search : ''
}

/** A form sends CR LF where a script reads LF, and may send a NUL, which nothing could keep. */
const plain = (value: string): string => value.replaceAll('\r\n', '\n').replaceAll('\0', '')

/**
 * Throws when another site's page posts, as it could answer in a visitor's place (CSRF). Browsers say
 * where a form comes from; a program that says nothing is no browser.
 */
export const rejectCrossSitePost = ({ headers }: FastifyRequest, public_url: string): void => {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const isOurs =
    site === undefined
      ? origin === undefined || isOrigin(origin, headers.host, public_url)
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw forbidden('other_site', 'Ce formulaire vient d’un autre site')
}

const isOrigin = (origin: string, host = '', public_url = ''): boolean =>
  origin === public_url || (URL.canParse(origin) && new URL(origin).host === host)
