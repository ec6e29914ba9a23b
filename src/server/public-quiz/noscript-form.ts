import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_POSTGRES_INTEGER, publicQuiz } from '#contract/public-quiz.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { splitQuery } from '#domain/prefilled-links/read-link.ts'
import { CONSENT_FIELD, readConsents } from '#domain/questionnaire/consent/consent.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Replies, Reply } from '#domain/questionnaire/quiz.ts'
import { CORRECTED_FIELD, hasUnseenCorrections } from '#domain/run/corrections/corrections.ts'
import { ASKED_EMAILS_FIELD } from '#domain/run/email-choices.ts'
import {
  adjacentPageIndex,
  createIsPageSkipped,
  skippedStepsQuery,
  stepsIn,
  type VisitedSteps,
} from '#domain/run/path.ts'
import { repliesOf } from '#domain/run/replies.ts'
import { RUN_SECRET_FIELD } from '#domain/run/run-secret.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { EARLIER_HONEYPOT_FIELD, HONEYPOT_FIELD } from '#domain/run/spam-signals.ts'
import { findBlockingQuestions } from '#domain/run/submission-checks.ts'
import { runPathSegment } from '#domain/run/trial-runs.ts'
import { lastStep, stepsTo } from '#domain/statistics/visits.ts'
import { forbidden, invalid } from '#server/http/edge/errors.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { isFromSandboxedFrame } from '#server/http/edge/sandboxed-frames.ts'
import { parseShape } from '#server/http/edge/validation.ts'
import { isEmbedded } from './page-reply.ts'
import type { ServedVersion } from './player-build.ts'

/** Route parameters of a run; `token` belongs to a trial run, and `invitation` to an invited person. */
export type Route = {
  Params: { id: string; token?: string; invitation?: string }
  Querystring: Record<string, unknown>
}

/** Form posted by a browser without scripts, validated like a submission. */
export type NoscriptForm = {
  replies: Replies
  /** Version of the accepted consent text; 0 if the box was left unticked, undefined if there was no box. */
  consent_version: number | undefined
  /** Version of the accepted text of the second consent, with the same meaning. */
  measure_version: number | undefined
  /** Reply of the consent boxes; undefined without a box. */
  consent_reply: Reply | undefined
  participant_uuid: string | undefined
  /** Secret of the run (docs/decisions/070); undefined on the cached first page. */
  run_secret: string | undefined
  version: number | undefined
  /** True if the hidden trap field was filled in. */
  is_trapped: boolean
  /** Query string of the address where the visit began. */
  parameters: string
  /** Index of the requested page; -1 is the welcome page. */
  page_index: number
  /** Steps already counted for this visit; empty at the beginning. */
  counted: VisitedSteps
  /** Numbers of the pages whose corrections were shown. */
  corrected: readonly number[]
  /** Positions of the email questions about whose address the visitor was asked. */
  asked_emails: readonly number[]
}

const PARTICIPANT = 'participant_uuid'
/** Form fields that are not replies. */
const OWN_FIELDS = [
  ...[PARTICIPANT, RUN_SECRET_FIELD, CONSENT_FIELD, CORRECTED_FIELD],
  ASKED_EMAILS_FIELD,
  ...[HONEYPOT_FIELD, EARLIER_HONEYPOT_FIELD],
]
/**
 * Maximum number of form fields: two per question, because of multiple and free replies. Nine more are the
 * participant, the secret of the run, the trap, the corrected pages, the asked addresses and the four fields of consents.
 */
const MAX_FIELDS = 2 * LIMITS.questions + 9
/** Maximum length of the query string of the first address, because every later address of the run contains it. */
const MAX_QUERY_LENGTH = 2_000
/** Maximum size of an encoded form. A character takes up to nine bytes, as `%E2%80%99` for ’. */
export const MAX_FORM_BYTES = 65_536

/** Maximum length of a list of skipped steps. */
const MAX_SKIPPED_STEPS_LENGTH = 4 * LIMITS.pages

/** Schema of the skipped steps in a query, separated by points. Invalid values become undefined. */
export const skippedSteps = z
  .string()
  .max(MAX_SKIPPED_STEPS_LENGTH)
  .regex(/^\d{1,3}(\.\d{1,3})*$/)
  .transform((text) => text.split('.').map(Number))
  .optional()
  .catch(undefined)

/** Schema of the query of a form's address. Invalid values count as absent. */
const query = z.object({
  version: z.coerce.number().int().min(1).max(MAX_POSTGRES_INTEGER).optional().catch(undefined),
  // -1 is the welcome page.
  page: z.coerce.number().int().min(-1).max(LIMITS.pages).catch(0),
  step: z.coerce.number().int().min(0).max(lastStep(LIMITS.pages)).catch(0),
  left_out: skippedSteps,
  came: z.string().optional().catch(undefined),
  participant: z.guid().toLowerCase().optional().catch(undefined),
  secret: publicQuiz.submit.body.shape.run_secret.catch(undefined),
})

/**
 * Decodes a posted form. Throws a 422 if it has too many fields; they are counted in the bytes, because
 * decoding thousands of fields would block other requests.
 */
export const readFormText = (bytes: Buffer): string => {
  let nb_fields = 0
  let end = -1
  do {
    const next = bytes.indexOf('&', end + 1)
    end = next === -1 ? bytes.length : next
    if (++nb_fields > MAX_FIELDS) throw invalid(`${MAX_FIELDS} champs au plus`)
  } while (end < bytes.length)
  return bytes.toString()
}

/** Parses a posted form. Throws an error if the form is not from our pages. */
export const readNoscriptForm = (request: FastifyRequest): NoscriptForm => {
  const text = typeof request.body === 'string' ? request.body : ''
  const typed = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
    name,
    plain(value),
  ])
  const fields = new Map(typed)
  const { version, page, step, left_out, came, participant, secret } = query.parse(request.query)
  const participant_uuid = fields.get(PARTICIPANT) ?? participant
  const run_secret = fields.get(RUN_SECRET_FIELD) ?? secret
  const is_trapped = Boolean(fields.get(HONEYPOT_FIELD))
  const isConsent = ([name]: [string, string]): boolean => name === CONSENT_FIELD
  const { [CONSENT_FIELD]: consent_reply } = repliesOf(typed.filter(isConsent))
  const answers = repliesOf(typed.filter(([name]) => !OWN_FIELDS.includes(name)))
  const given = { answers, participant_uuid, run_secret, version, ...readConsents(consent_reply) }
  const body = parseShape(publicQuiz.submit.body, given)
  return {
    replies: body.answers,
    consent_version: body.consent_version ?? undefined,
    measure_version: body.measure_version ?? undefined,
    consent_reply,
    participant_uuid: body.participant_uuid,
    run_secret: body.run_secret ?? undefined,
    version,
    is_trapped,
    parameters: (came ?? queryBefore(request)).slice(0, MAX_QUERY_LENGTH),
    page_index: page,
    counted: { from: 0, to: step, left_out },
    corrected: skippedSteps.parse(fields.get(CORRECTED_FIELD)) ?? [],
    asked_emails: skippedSteps.parse(fields.get(ASKED_EMAILS_FIELD)) ?? [],
  }
}

/**
 * Returns the query string of the address where a run began, from the referrer, without the values of a prefilled link.
 * The cached first page is the same for all visitors, so its form cannot carry the query; later forms do.
 */
const queryBefore = ({ headers, query }: FastifyRequest): string => {
  const page = headers.referer ?? ''
  if (Object.hasOwn(Object(query), 'step')) return ''
  return URL.canParse(page) && new URL(page).pathname.startsWith('/q/')
    ? splitQuery(new URL(page).search).others
    : ''
}

/** Normalizes line ends to LF as scripts do, and removes NUL characters, which PostgreSQL cannot store. */
const plain = (value: string): string => value.replaceAll('\r\n', '\n').replaceAll('\0', '')

/**
 * Throws a 403 if a page of another site posts the form, because it could answer in a visitor's name (CSRF).
 * Requests without browser headers are accepted.
 */
export const rejectCrossSitePost = ({ headers }: FastifyRequest, public_url: string): void => {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const isOurs =
    site === undefined
      ? origin === undefined || isOrigin(origin, headers.host, public_url)
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw forbidden('other_site', 'Ces réponses viennent d’un autre site')
}

/**
 * Throws a 403 if a page of another site posts the form of a run. A frame of another site may have no origin, and its run has
 * neither cookies nor a session that a forged form could use.
 */
export const rejectForeignRun = (request: FastifyRequest, public_url: string): void => {
  if (isEmbedded(request) && isFromSandboxedFrame(request)) return
  rejectCrossSitePost(request, public_url)
}

const isOrigin = (origin: string, host = '', public_url = ''): boolean =>
  origin === public_url || (URL.canParse(origin) && new URL(origin).host === host)

/** Returns the replies of a run, including the state of the consent boxes. */
export const runReplies = ({ replies, consent_reply }: NoscriptForm): Replies =>
  consent_reply === undefined ? replies : { ...replies, [CONSENT_FIELD]: consent_reply }

/** How a run is shown, and for whom. */
type RunContext = Pick<ServedVersion, 'is_embedded' | 'test_token' | 'invitation_token'>

/** Returns whether the page is shown in a frame, and the token of a trial run or an invitation. These are never framed. */
export const requestContext = (request: FastifyRequest<Pick<Route, 'Params'>>): RunContext => {
  const { token: test_token, invitation: invitation_token } = request.params
  const isPublic = test_token === undefined && invitation_token === undefined
  return { is_embedded: isPublic && isEmbedded(request), test_token, invitation_token }
}

/** Returns how a page is shown, and for whom a large one is rendered: the creator of the quiz, and the visitor. */
export const servedTo = (
  reply: FastifyReply,
  owner: string,
): RunContext & Pick<ServedVersion, 'caller'> => {
  const request = reply.request as FastifyRequest<Route>
  const caller = { owner, network: networkKey(request.ip), signal: responseSignalOf(reply) }
  return { ...requestContext(request), caller }
}

/** Id and secret of a run, which together open its result page. */
export type RunKey = { participant_uuid: string; run_secret: string }

/** Returns the address to which a run is submitted and where its result is shown. */
export const resultAddress = (
  pageInput: ServedVersion,
  { participant_uuid, run_secret }: RunKey,
): string => {
  const { version, is_embedded } = pageInput
  return `/q/${runPathSegment(pageInput)}/resultat?version=${version}&participant=${participant_uuid}&secret=${encodeURIComponent(run_secret)}${is_embedded ? '&embed=1' : ''}`
}

/** Returns the address of the result with the state of the visit, for a form that is posted there again. */
export const submitAddress = (
  pageInput: ServedVersion,
  run: RunKey,
  { counted, parameters }: NoscriptForm,
): string =>
  `${resultAddress(pageInput, run)}&step=${counted.to}${skippedStepsQuery(counted, '&')}${parameters && `&came=${encodeURIComponent(parameters)}`}`

/** Returns true if no page is left on the path from the requested page on. */
export const isPastLastPage = (
  { snapshot }: ServedVersion,
  { page_index, replies }: NoscriptForm,
): boolean => {
  const pages = groupIntoPages(snapshot)
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  const before = { page_index: page_index - 1, step: 1, isSkipped } as const
  return adjacentPageIndex(pages, before) >= pages.length
}

/**
 * Returns the first page before the requested one whose corrections are due: the run visits the page, answered it and has
 * not seen its corrections. Undefined if there is none.
 */
export const pageToCorrect = (
  { snapshot }: ServedVersion,
  { page_index, replies, corrected }: NoscriptForm,
): { index: number; number: number } | undefined => {
  const pages = groupIntoPages(snapshot)
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  const index = pages.findIndex(
    (page, index) =>
      index < page_index &&
      !isSkipped(page.number) &&
      !corrected.includes(page.number) &&
      hasUnseenCorrections(snapshot.quiz.shows_corrections, page) &&
      findBlockingQuestions(page, replies, PUBLIC_RULES).length === 0,
  )
  const page = pages[index]
  return page && { index, number: page.number }
}

/** Returns the steps of a finished run that are not counted yet. */
export const uncountedSteps = (
  { snapshot }: ServedVersion,
  { replies, counted }: NoscriptForm,
): number[] => {
  const pages = groupIntoPages(snapshot)
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  const known = stepsIn(counted)
  return stepsTo(pages.length - 1, true, (index) => !isSkipped(pages[index]?.number ?? 0)).filter(
    (step) => !known.includes(step),
  )
}
