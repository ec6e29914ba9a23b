import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSENT_FIELD } from '#domain/questionnaire/consent.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { fillAddress, insertionsOf } from '#domain/run/insertions.ts'
import { leftOutQuery, neighbourOnPath, pagesLeftOut, stepsIn } from '#domain/run/path.ts'
import { replyErrors } from '#domain/run/reply-errors.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { isTrialRequest, runAddress, runPath } from '#domain/run/trial-runs.ts'
import { spanOf, stepsTo } from '#domain/statistics/visits.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import {
  firstResult,
  refuseExtraReplies,
  type SubmissionNeeds,
  submitResponse,
} from '#server/responses/submit-response.ts'
import type { Visits } from '#server/responses/visits.ts'
import { isUuid, uuidv7 } from '#server/runtime/uuid.ts'
import { NO_TEST_PAGE, unpublishedPage } from './message-page.ts'
import {
  MAX_FORM_BYTES,
  type NoscriptForm,
  readFormText,
  readNoscriptForm,
  rejectCrossSitePost,
} from './noscript-form.ts'
import { answerFailure, isEmbedded, sendMessage, sendPage } from './page-reply.ts'
import type { ServedRun, TakenQuiz } from './player-build.ts'
import type { PublicPages } from './public-pages.ts'
import { type Found, findPublished } from './quiz-page.ts'
import { hasPrivacySignal } from './visits.routes.ts'
import { writeNoscriptPage } from './write-quiz-page.ts'

export type NoscriptRunsDependencies = SubmissionNeeds & {
  pages: PublicPages
  visits: Pick<Visits, 'count'>
  public_url: string
}

export type Route = { Params: { id: string; token?: string }; Querystring: Record<string, unknown> }

/** Where runs are served, and who may come in. */
type Place = {
  path: '/q/:id' | '/q/:id/test/:token'
  submit_limits: NonNullable<FastifyContextConfig['limits']>
  /** Answers a request that is not served here, before its body is read, and returns true. */
  refuse: (request: FastifyRequest<Route>, reply: FastifyReply) => Promise<boolean>
}

/** Participants' runs: none that asks for a test. */
const OF_PARTICIPANTS: Place = {
  path: '/q/:id',
  submit_limits: 'submit',
  refuse: async (request, reply) => {
    const isRefused = isTrialRequest(request.query)
    if (isRefused) sendMessage(request, reply, 403, NO_TEST_PAGE)
    return isRefused
  },
}

/** How long a result is read before its page leads on; it says so, and how to stay. */
const LEADS_ON_AFTER_S = 5

/** Lets the browser go back to it without posting again. */
const OWN_HISTORY = 'private, no-cache'

/**
 * A run where the browser runs no script: POST /q/{id} turns to a page, POST /q/{id}/resultat submits,
 * and leads to GET /q/{id}/resultat, which shows the end. Everything a run knows travels in its form;
 * nothing is stored before it is submitted, in the way and under the rules of the API's submission. Those of a test are
 * served the same below its token, and count no visit.
 */
export const registerNoscriptRuns = (
  app: FastifyInstance,
  on: NoscriptRunsDependencies,
  place = OF_PARTICIPANTS,
): void => {
  const { snapshots, submissions, pages, visits, public_url } = on
  const { path, submit_limits, refuse } = place

  /** The version that a form was made from; withdrawn quizzes have none. */
  const takenOf = async (
    { quiz_id, published }: Found,
    request: FastifyRequest<Route>,
    version?: number,
  ): Promise<TakenQuiz> => {
    const { notes } = published
    const begun =
      version === undefined ? undefined : await snapshots.ofVersion(quiz_id, version, notes)
    const { snapshot, version: number } = begun ?? published
    return { quiz_id, version: number, snapshot, ...asAsked(request) }
  }
  /** Counts the steps that a visit newly came to; none where the browser asks for privacy. */
  const countVisit = (
    request: FastifyRequest,
    { quiz_id, version, test_token }: TakenQuiz,
    new_steps: readonly number[],
  ): void => {
    const steps = test_token === undefined && spanOf(new_steps)
    if (steps && !hasPrivacySignal(request)) visits.count({ quiz_id, version, ...steps })
  }
  const sendRun = async (
    request: FastifyRequest,
    reply: FastifyReply,
    taken: TakenQuiz,
    run: ServedRun,
  ): Promise<FastifyReply> => {
    const build = await pages.build()
    const { is_refused, new_steps, ...rendered } = await build.renderServedRun(taken, run)
    countVisit(request, taken, new_steps)
    const page = writeNoscriptPage(taken, build, rendered)
    return sendPage(reply, is_refused ? 422 : 200, page, OWN_HISTORY)
  }

  const turn = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    rejectCrossSitePost(request, public_url)
    const found = await findPublished(snapshots, request, reply)
    if (!found) return reply
    const form = readNoscriptForm(request)
    const { participant_uuid = uuidv7(), version } = form
    const taken = await takenOf(found, request, version)
    refuseExtraReplies(taken.snapshot, form.replies)
    // Posted again to where it ends, under the limits and rules of that.
    if (endsBefore(taken, form)) return reply.redirect(endOf(taken, participant_uuid, form), 307)
    return sendRun(request, reply, taken, { ...form, replies: ofRun(form), participant_uuid })
  }

  const isWithdrawn = async (id: string): Promise<boolean> =>
    isUuid(id) && (await snapshots.current(id.toLowerCase()))?.is_published === false

  /** Shows the result of a run whose quiz was withdrawn since it began; it is not counted. */
  const endWithdrawn = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const quiz_id = request.params.id.toLowerCase()
    const { version, replies, participant_uuid } = readNoscriptForm(request)
    const begun = version ? await snapshots.ofVersion(quiz_id, version) : undefined
    if (!begun || replyErrors(begun.snapshot, replies).length > 0)
      return sendMessage(request, reply, 404, unpublishedPage(begun?.snapshot))
    const known = participant_uuid && (await submissions.find({ quiz_id, participant_uuid }))
    const result = known
      ? await firstResult(snapshots, quiz_id, known)
      : computeResult(begun.snapshot, replies, PUBLIC_RULES)
    const taken = { ...begun, quiz_id, ...asAsked(request) }
    const build = await pages.build()
    const rendered = await build.renderServedEnding(taken, {
      result,
      replies,
      ...(!known && { refusal: 'withdrawn' }),
    })
    return sendPage(reply, known ? 200 : 403, writeNoscriptPage(taken, build, rendered))
  }

  /** Shows the result of a run that ended after its quiz was closed; it is not counted. */
  const endLate = async (reply: FastifyReply, taken: TakenQuiz, replies: Replies) => {
    const build = await pages.build()
    const result = computeResult(taken.snapshot, replies, PUBLIC_RULES)
    const rendered = await build.renderServedEnding(taken, { result, replies, refusal: 'closed' })
    return sendPage(reply, 403, writeNoscriptPage(taken, build, rendered))
  }

  const submit = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    rejectCrossSitePost(request, public_url)
    if (await isWithdrawn(request.params.id)) return endWithdrawn(request, reply)
    const found = await findPublished(snapshots, request, reply)
    if (!found) return reply
    const { quiz_id } = found
    const form = readNoscriptForm(request)
    const { participant_uuid, version, replies, consent_version, is_trapped, counted } = form
    const { parameters } = form
    const taken = await takenOf(found, request, version)
    const goBack = (uuid: string, refusal?: string) =>
      sendRun(request, reply, taken, {
        replies: ofRun(form),
        is_trapped,
        counted,
        parameters,
        participant_uuid: uuid,
        page_index: taken.snapshot.questions.length,
        refusal,
      })
    // The first page is the same for all visitors and has no participant id. It is posted again with one
    // in its address, so that repeated posts count as one participant.
    if (!participant_uuid) {
      const uuid = uuidv7()
      if (replyErrors(taken.snapshot, replies).length > 0) return goBack(uuid)
      return reply.redirect(endOf(taken, uuid, form), 307)
    }
    try {
      const given = {
        answers: replies,
        version: taken.version,
        consent_version,
        is_trapped,
        parameters,
      }
      const who = { quiz_id, participant_uuid, ip: request.ip }
      const { is_new } = await submitResponse(on, who, given)
      if (is_new) countVisit(request, taken, stepsAtEnd(taken, form))
    } catch (error) {
      if (isLate(error)) return endLate(reply, taken, replies)
      if (!(error instanceof ApiError && error.status === 422)) throw error
      return goBack(participant_uuid, error.message)
    }
    return reply.redirect(addressOf(taken, participant_uuid), 303)
  }

  const end = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const quiz_id = request.params.id.toLowerCase()
    const participant_uuid = String(request.query.participant)
    // Who was stored finds the result even when the quiz was withdrawn since.
    const known =
      isUuid(quiz_id) && isUuid(participant_uuid)
        ? await submissions.find({ quiz_id, participant_uuid })
        : undefined
    const begun = known && (await snapshots.ofVersion(quiz_id, known.version))
    if (!begun) {
      const found = await findPublished(snapshots, request, reply)
      if (!found) return reply
      const { is_embedded, test_token } = asAsked(request)
      return reply.redirect(runPath({ quiz_id, test_token }) + (is_embedded ? '?embed=1' : ''), 303)
    }
    const taken = { ...begun, quiz_id, ...asAsked(request) }
    const build = await pages.build()
    const result = await firstResult(snapshots, quiz_id, known)
    // A frame would lead itself on, not the page around it: there the link alone does, and in a test.
    const isLeading =
      request.query.rester !== '1' && !taken.is_embedded && taken.test_token === undefined
    const replies = unpackReplies(begun.snapshot, known)
    const url =
      isLeading && result?.redirect_url
        ? fillAddress(result.redirect_url, insertionsOf(begun.snapshot, replies, result))
        : undefined
    const rendered = await build.renderServedEnding(taken, {
      result,
      replies,
      stay_href: url ? `${addressOf(taken, participant_uuid)}&rester=1` : undefined,
    })
    const leads_to = url ? { url, seconds: LEADS_ON_AFTER_S } : undefined
    return sendPage(reply, 200, writeNoscriptPage(taken, build, rendered, leads_to))
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, bytes: Buffer) => readFormText(bytes),
    )
    scope.setErrorHandler(answerFailure)
    scope.addHook('onRequest', refuse)
    const bodyLimit = MAX_FORM_BYTES
    scope.post<Route>(path, { bodyLimit, config: { limits: 'page' } }, turn)
    const options = { bodyLimit, config: { limits: submit_limits } }
    scope.post<Route>(`${path}/resultat`, options, submit)
    scope.get<Route>(`${path}/resultat`, { config: { limits: 'page' } }, end)
  })
}

/** How a page was asked for: in a frame, or as a test, which is in none. */
const asAsked = (request: FastifyRequest<Route>): Pick<TakenQuiz, 'is_embedded' | 'test_token'> => {
  const { token: test_token } = request.params
  return { is_embedded: test_token === undefined && isEmbedded(request), test_token }
}

const isLate = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'quiz_full' || error.code === 'quiz_closed')

/** The replies as a run has them, with what became of the box of consent. */
const ofRun = ({ replies, consent_version }: NoscriptForm): Replies =>
  consent_version === undefined ? replies : { ...replies, [CONSENT_FIELD]: String(consent_version) }

/** Where the end of a participant's run is posted to, and then shown. */
const addressOf = (taken: TakenQuiz, participant: string): string => {
  const { version, is_embedded } = taken
  return `/q/${runAddress(taken)}/resultat?version=${version}&participant=${participant}${is_embedded ? '&embed=1' : ''}`
}

/** The same with what was before, for a form that is posted there again. */
const endOf = (
  taken: TakenQuiz,
  participant: string,
  { counted, parameters }: NoscriptForm,
): string =>
  `${addressOf(taken, participant)}&step=${counted.to}${leftOutQuery(counted, '&')}${parameters && `&came=${encodeURIComponent(parameters)}`}`

/** Whether the replies lead past the page that a form turns to, and past all that follow. */
const endsBefore = ({ snapshot }: TakenQuiz, { page_index, replies }: NoscriptForm): boolean => {
  const pages = groupIntoPages(snapshot)
  const isLeftOut = pagesLeftOut(snapshot.questions, replies)
  const before = { page_index: page_index - 1, step: 1, isLeftOut } as const
  return page_index < pages.length && neighbourOnPath(pages, before) === pages.length
}

/** The steps of a run that has come to its end that were not counted yet. */
const stepsAtEnd = ({ snapshot }: TakenQuiz, { replies, counted }: NoscriptForm): number[] => {
  const pages = groupIntoPages(snapshot)
  const isLeftOut = pagesLeftOut(snapshot.questions, replies)
  const known = stepsIn(counted)
  return stepsTo(pages.length - 1, true, (index) => !isLeftOut(pages[index]?.number ?? 0)).filter(
    (step) => !known.includes(step),
  )
}
