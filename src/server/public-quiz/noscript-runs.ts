import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { dimensionInsertions } from '#domain/run/dimensions.ts'
import { fillAddress, insertionsOf } from '#domain/run/rich-text.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { submissionErrors } from '#domain/run/submission-checks.ts'
import { isTrialRequest, runStartPath } from '#domain/run/trial-runs.ts'
import { spanOf } from '#domain/statistics/visits.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { refuseExtraReplies } from '#server/responses/reply-size.ts'
import { createRunSecret, findOwnRun } from '#server/responses/run-secret.ts'
import { firstResult } from '#server/responses/submission-result.ts'
import { type SubmissionNeeds, submitResponse } from '#server/responses/submit-response.ts'
import type { Visits } from '#server/responses/visits.ts'
import { UUID, uuidv7 } from '#server/runtime/uuid.ts'
import { NO_TEST_PAGE, unpublishedPage } from './message-page.ts'
import {
  isPastLastPage,
  MAX_FORM_BYTES,
  pageToCorrect,
  type RunKey,
  readFormText,
  readNoscriptForm,
  rejectCrossSitePost,
  requestContext,
  resultAddress,
  runReplies,
  submitAddress,
  uncountedSteps,
} from './noscript-form.ts'
import { answerFailure, sendMessage, sendPage } from './page-reply.ts'
import type { ServedRun, ServedVersion } from './player-build.ts'
import type { PublicPages } from './public-pages.ts'
import { type FoundQuiz, findOpened, findPublished } from './quiz-page.ts'
import { hasPrivacySignal } from './visits.routes.ts'
import { writeNoscriptPage } from './write-quiz-page.ts'

/** Dependencies of runs without JavaScript. */
export type NoscriptRunsDependencies = SubmissionNeeds & {
  pages: PublicPages
  visits: Pick<Visits, 'count'>
  public_url: string
}

/** Route parameters of a run; `token` belongs to a trial run. */
export type Route = { Params: { id: string; token?: string }; Querystring: Record<string, unknown> }

/** Path and access check of a kind of runs. */
type RunKind = {
  path: '/q/:id' | '/q/:id/test/:token'
  submit_limits: NonNullable<FastifyContextConfig['limits']>
  /** Answers an unacceptable request before its body is read, and returns true. */
  refuse: (request: FastifyRequest<Route>, reply: FastifyReply) => Promise<boolean>
}

/** Runs of participants. Requests for a trial run are refused. */
const PARTICIPANT_RUNS: RunKind = {
  path: '/q/:id',
  submit_limits: 'submit',
  refuse: async (request, reply) => {
    const isRefused = isTrialRequest(request.query)
    if (isRefused) sendMessage(request, reply, 403, NO_TEST_PAGE)
    return isRefused
  },
}

/** Seconds before a result page redirects. The page announces the redirect and offers to stay. */
const REDIRECT_DELAY_S = 5

/** Cache-Control that lets the browser go back to a page without posting again. */
const PRIVATE_NO_CACHE = 'private, no-cache'

/**
 * Registers the routes of runs without JavaScript: POST /q/{id} turns a page, POST /q/{id}/resultat submits,
 * GET /q/{id}/resultat shows the end. The form carries the whole state of a run, and the submission follows the
 * rules of the API. Trial runs use the same routes below their token and count no visit.
 */
export const registerNoscriptRuns = (
  app: FastifyInstance,
  on: NoscriptRunsDependencies,
  place = PARTICIPANT_RUNS,
): void => {
  const { snapshots, submissions, pages, visits, public_url, links } = on
  const { path, submit_limits, refuse } = place
  // Owners can test a quiz before it opens.
  const find = place === PARTICIPANT_RUNS ? findOpened : findPublished

  /** Returns the version that the form was made from, or the current version. */
  const findServedVersion = async (
    { quiz_id, published }: FoundQuiz,
    request: FastifyRequest<Route>,
    version?: number,
  ): Promise<ServedVersion> => {
    const { notes } = published
    const begun =
      version === undefined ? undefined : await snapshots.ofVersion(quiz_id, version, notes)
    const { snapshot, rich, version: number } = begun ?? published
    return { quiz_id, version: number, snapshot, rich, ...requestContext(request) }
  }
  /** Counts the newly reached steps of a visit, unless the browser asks for privacy. */
  const countVisit = (
    request: FastifyRequest,
    { quiz_id, version, test_token }: ServedVersion,
    new_steps: readonly number[],
  ): void => {
    const steps = test_token === undefined && spanOf(new_steps)
    if (steps && !hasPrivacySignal(request)) visits.count({ quiz_id, version, ...steps })
  }
  const sendRun = async (
    request: FastifyRequest,
    reply: FastifyReply,
    taken: ServedVersion,
    run: ServedRun,
  ): Promise<FastifyReply> => {
    const build = await pages.build()
    const { is_refused, new_steps, ...rendered } = await build.renderServedRun(taken, run)
    countVisit(request, taken, new_steps)
    const page = writeNoscriptPage(taken, rendered)
    return sendPage(reply, is_refused ? 422 : 200, page, PRIVATE_NO_CACHE)
  }

  const handleForm = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    rejectCrossSitePost(request, public_url)
    const found = await find(snapshots, request, reply)
    if (!found) return reply
    const form = readNoscriptForm(request)
    const { participant_uuid = uuidv7(), run_secret = createRunSecret(), version } = form
    const key = { participant_uuid, run_secret }
    const taken = await findServedVersion(found, request, version)
    refuseExtraReplies(taken.snapshot, form.replies)
    const due = pageToCorrect(taken, form)
    if (due)
      return sendRun(request, reply, taken, {
        ...form,
        replies: runReplies(form),
        ...key,
        page_index: due.index,
        corrected: [...form.corrected, due.number],
      })
    // The form is posted again to the submission route, which has its own limits and rules.
    if (isPastLastPage(taken, form)) return reply.redirect(submitAddress(taken, key, form), 307)
    return sendRun(request, reply, taken, { ...form, replies: runReplies(form), ...key })
  }

  const isWithdrawn = async (id: string): Promise<boolean> =>
    UUID.test(id) && (await snapshots.current(id.toLowerCase()))?.is_published === false

  /** Shows the result of a run whose quiz was withdrawn in the meantime. The run is not stored. */
  const endWithdrawn = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const quiz_id = request.params.id.toLowerCase()
    const { version, replies, participant_uuid, run_secret } = readNoscriptForm(request)
    const begun = version ? await snapshots.ofVersion(quiz_id, version) : undefined
    if (!begun || submissionErrors(begun.snapshot, replies).length > 0)
      return sendMessage(request, reply, 404, unpublishedPage(begun?.snapshot))
    const known = await findOwnRun(submissions, { quiz_id, participant_uuid, run_secret })
    const result = known
      ? await firstResult(snapshots, quiz_id, known)
      : computeResult(begun.snapshot, replies, PUBLIC_RULES)
    const taken = { ...begun, quiz_id, ...requestContext(request) }
    const build = await pages.build()
    const rendered = await build.renderServedEnding(taken, {
      result,
      replies,
      ...(!known && { refusal: 'quiz_not_published' }),
    })
    return sendPage(reply, known ? 200 : 403, writeNoscriptPage(taken, rendered))
  }

  /** Shows the result of a run that ended after the quiz was closed. The run is not stored. */
  const endLate = async (reply: FastifyReply, taken: ServedVersion, replies: Replies) => {
    const build = await pages.build()
    const result = computeResult(taken.snapshot, replies, PUBLIC_RULES)
    const rendered = await build.renderServedEnding(taken, {
      result,
      replies,
      refusal: 'quiz_closed',
    })
    return sendPage(reply, 403, writeNoscriptPage(taken, rendered))
  }

  const submit = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    rejectCrossSitePost(request, public_url)
    if (await isWithdrawn(request.params.id)) return endWithdrawn(request, reply)
    const found = await find(snapshots, request, reply)
    if (!found) return reply
    const { quiz_id } = found
    const form = readNoscriptForm(request)
    const { participant_uuid, run_secret, version, replies } = form
    const { consent_version, is_trapped, counted, parameters, corrected } = form
    const taken = await findServedVersion(found, request, version)
    const goBack = (key: RunKey, refusal?: string) =>
      sendRun(request, reply, taken, {
        replies: runReplies(form),
        is_trapped,
        counted,
        parameters,
        corrected,
        ...key,
        page_index: taken.snapshot.questions.length,
        refusal,
      })
    // The cached first page has neither id nor secret. The form is posted again with both in its address, so that
    // repeated posts count as one participant.
    if (!participant_uuid || !run_secret) {
      const key = { participant_uuid: participant_uuid ?? uuidv7(), run_secret: createRunSecret() }
      const [error] = submissionErrors(taken.snapshot, replies)
      if (error) return goBack(key, error)
      return reply.redirect(submitAddress(taken, key, form), 307)
    }
    const key = { participant_uuid, run_secret }
    // A visitor who began before the quiz was closed can still complete the replies.
    const [missing] = submissionErrors(taken.snapshot, replies)
    if (missing) return goBack(key, missing)
    try {
      const notes = { consent_version, is_trapped, parameters, run_secret }
      const given = { answers: replies, version: taken.version, ...notes }
      const who = { quiz_id, participant_uuid, ip: request.ip }
      const { is_new } = await submitResponse(on, who, given)
      if (is_new) countVisit(request, taken, uncountedSteps(taken, form))
    } catch (error) {
      if (isLate(error)) return endLate(reply, taken, replies)
      if (!(error instanceof ApiError && error.status === 422)) throw error
      return goBack(key, error.message)
    }
    return reply.redirect(resultAddress(taken, key), 303)
  }

  const end = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const quiz_id = request.params.id.toLowerCase()
    const participant_uuid = String(request.query.participant)
    const run_secret = String(request.query.secret)
    // Stored participants find their result even if the quiz was withdrawn later.
    const known =
      UUID.test(quiz_id) && UUID.test(participant_uuid)
        ? await findOwnRun(submissions, { quiz_id, participant_uuid, run_secret })
        : undefined
    const begun = known && (await snapshots.ofVersion(quiz_id, known.version))
    if (!begun) {
      const found = await find(snapshots, request, reply)
      if (!found) return reply
      const { is_embedded, test_token } = requestContext(request)
      return reply.redirect(
        runStartPath({ quiz_id, test_token }) + (is_embedded ? '?embed=1' : ''),
        303,
      )
    }
    const taken = { ...begun, quiz_id, ...requestContext(request) }
    const build = await pages.build()
    const result = await firstResult(snapshots, quiz_id, known)
    // A frame would redirect only itself, so frames and trial runs show a link instead.
    const isLeading =
      request.query.rester !== '1' && !taken.is_embedded && taken.test_token === undefined
    const replies = unpackReplies(begun.snapshot, known)
    const url =
      isLeading && result?.redirect_url
        ? fillAddress(
            result.redirect_url,
            insertionsOf(
              begun.snapshot,
              replies,
              result,
              dimensionInsertions(begun.snapshot, replies),
            ),
          )
        : undefined
    const keeps_page = links !== undefined && (await snapshots.keepsPage(quiz_id))
    const run = { snapshot: begun.snapshot, replies }
    const documents = links?.of({ quiz_id, participant_uuid }, run, keeps_page)
    const rendered = await build.renderServedEnding(taken, {
      result,
      replies,
      documents,
      stay_href: url
        ? `${resultAddress(taken, { participant_uuid, run_secret })}&rester=1`
        : undefined,
    })
    const leads_to = url ? { url, seconds: REDIRECT_DELAY_S } : undefined
    return sendPage(reply, 200, writeNoscriptPage(taken, rendered, leads_to))
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
    scope.post<Route>(path, { bodyLimit, config: { limits: 'page' } }, handleForm)
    const options = { bodyLimit, config: { limits: submit_limits } }
    scope.post<Route>(`${path}/resultat`, options, submit)
    scope.get<Route>(`${path}/resultat`, { config: { limits: 'page' } }, end)
  })
}

const isLate = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'quiz_full' || error.code === 'quiz_closed')
