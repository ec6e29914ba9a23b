import { randomUUIDv7 } from 'node:crypto'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { emailsToAsk } from '#domain/run/email-choices.ts'
import { submissionErrors } from '#domain/run/submission-checks.ts'
import { isTrialRequest } from '#domain/run/trial-runs.ts'
import { spanOf } from '#domain/statistics/visits.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { refuseExtraReplies } from '#server/responses/reply-size.ts'
import { createRunSecret } from '#server/responses/run-secret.ts'
import { type SubmissionNeeds, submitResponse } from '#server/responses/submit-response.ts'
import type { Visits } from '#server/responses/visits.ts'
import { NO_TEST_PAGE } from './message-page.ts'
import { createNoscriptEnds } from './noscript-ends.ts'
import {
  isPastLastPage,
  MAX_FORM_BYTES,
  type NoscriptForm,
  pageToCorrect,
  type Route,
  type RunKey,
  readFormText,
  readNoscriptForm,
  rejectForeignRun,
  resultAddress,
  runReplies,
  servedTo,
  submitAddress,
  uncountedSteps,
} from './noscript-form.ts'
import { answerFailure, PRIVATE_NO_CACHE, sendMessage, sendPage } from './page-reply.ts'
import type { ServedRun, ServedVersion } from './player-build.ts'
import type { PublicPages } from './public-pages.ts'
import { type FoundQuiz, findOpened, type findPublishedOrSend404 } from './quiz-page.ts'
import { hasPrivacySignal } from './visits.routes.ts'
import { writeNoscriptPage } from './write-quiz-page.ts'

/** Dependencies of runs without JavaScript. */
export type NoscriptRunsDependencies = SubmissionNeeds & {
  pages: PublicPages
  visits: Pick<Visits, 'count'>
  public_url: string
}

/** Path and access check of a kind of runs. */
export type RunKind = {
  path: '/q/:id' | '/q/:id/test/:token' | '/q/:id/i/:invitation'
  /** Callers of the runs. */
  access: 'anyone' | 'link'
  submit_limits: NonNullable<FastifyContextConfig['limits']>
  /** Answers an unacceptable request before its body is read, and returns true. */
  refuse: (request: FastifyRequest<Route>, reply: FastifyReply) => Promise<boolean>
  /** Finds the quiz of a request, or answers the request. */
  find: typeof findPublishedOrSend404
  /** Returns the form, completed with the replies that the link of the person gives. */
  completeForm?: (
    request: FastifyRequest<Route>,
    pageInput: ServedVersion,
    form: NoscriptForm,
  ) => Promise<NoscriptForm>
  /** Returns the storage of the run of a request; by default that of all participants. */
  storageOf?: (request: FastifyRequest<Route>) => Promise<Partial<SubmissionNeeds>>
  /** Returns true if the answer to a submission shows the end, because nothing stored leads to the reply. */
  showsEndAtOnce?: (request: FastifyRequest<Route>) => Promise<boolean>
}

/** Runs of participants. Requests for a trial run are refused. */
const PARTICIPANT_RUNS: RunKind = {
  path: '/q/:id',
  access: 'anyone',
  submit_limits: 'submit',
  refuse: async (request, reply) => {
    const isRefused = isTrialRequest(request.query)
    if (isRefused) sendMessage(request, reply, 403, NO_TEST_PAGE)
    return isRefused
  },
  find: findOpened,
}

/**
 * Registers the routes of runs without JavaScript: POST /q/{id} turns a page, POST /q/{id}/resultat submits,
 * GET /q/{id}/resultat shows the end. The form carries the whole state of a run, and the submission follows the
 * rules of the API. Trial runs use the same routes below their token and count no visit.
 */
export const registerNoscriptRuns = (
  app: FastifyInstance,
  deps: NoscriptRunsDependencies,
  kind = PARTICIPANT_RUNS,
): void => {
  const { versionReader, pages, visits, public_url } = deps
  const { path, access, submit_limits, refuse, find } = kind
  const { isWithdrawn, endWithdrawn, endUnstored, showEnd } = createNoscriptEnds(deps, find)

  /** Returns the version that the form was made from, or the current version. */
  const findServedVersion = async (
    { quiz_id, published }: FoundQuiz,
    reply: FastifyReply,
    version?: number,
  ): Promise<ServedVersion> => {
    const { notes } = published
    const version_of_run =
      version === undefined ? undefined : await versionReader.ofVersion(quiz_id, version, notes)
    const { snapshot, rich, version: number } = version_of_run ?? published
    const served = servedTo(reply, published.creator_id)
    return { quiz_id, version: number, snapshot, rich, ...served }
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
    pageInput: ServedVersion,
    run: ServedRun,
  ): Promise<FastifyReply> => {
    const build = await pages.build()
    const { is_refused, new_steps, ...rendered } = await build.renderServedRun(pageInput, run)
    countVisit(request, pageInput, new_steps)
    const page = writeNoscriptPage(pageInput, rendered)
    return sendPage(reply, is_refused ? 422 : 200, page, PRIVATE_NO_CACHE)
  }

  /** Returns the state of a run whose page asks about addresses with typing slips; undefined if there is nothing to ask. */
  const askAboutEmails = (
    { snapshot }: ServedVersion,
    form: NoscriptForm,
    page_index = form.page_index,
  ): Omit<ServedRun, keyof RunKey> | undefined => {
    const { replies, asked_emails } = form
    const found = emailsToAsk(snapshot, { page_index, replies, asked: asked_emails })
    return (
      found && {
        ...form,
        replies: runReplies(form),
        page_index: found.page_index,
        asked_emails: [...asked_emails, ...found.positions],
        emails_to_ask: found.positions,
      }
    )
  }

  const handleForm = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    rejectForeignRun(request, public_url)
    const found = await find(versionReader, request, reply)
    if (!found) return reply
    const posted = readNoscriptForm(request)
    const { participant_uuid = randomUUIDv7(), run_secret = createRunSecret(), version } = posted
    const key = { participant_uuid, run_secret }
    const pageInput = await findServedVersion(found, reply, version)
    refuseExtraReplies(pageInput.snapshot, posted.replies)
    const form = (await kind.completeForm?.(request, pageInput, posted)) ?? posted
    const asking = askAboutEmails(pageInput, form)
    if (asking) return sendRun(request, reply, pageInput, { ...asking, ...key })
    const due = pageToCorrect(pageInput, form)
    if (due)
      return sendRun(request, reply, pageInput, {
        ...form,
        replies: runReplies(form),
        ...key,
        page_index: due.index,
        corrected: [...form.corrected, due.number],
      })
    // The form is posted again to the submission route, which has its own limits and rules.
    if (isPastLastPage(pageInput, form))
      return reply.redirect(submitAddress(pageInput, key, form), 307)
    return sendRun(request, reply, pageInput, { ...form, replies: runReplies(form), ...key })
  }

  const submit = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    rejectForeignRun(request, public_url)
    if (await isWithdrawn(request.params.id)) return endWithdrawn(request, reply)
    const found = await find(versionReader, request, reply)
    if (!found) return reply
    const { quiz_id } = found
    const form = readNoscriptForm(request)
    const { participant_uuid, run_secret, version, replies } = form
    const { consent_version, measure_version, is_trapped, counted, parameters } = form
    const { corrected, asked_emails } = form
    const pageInput = await findServedVersion(found, reply, version)
    const key = {
      participant_uuid: participant_uuid ?? randomUUIDv7(),
      run_secret: run_secret ?? createRunSecret(),
    }
    const goBack = (refusal: string) =>
      sendRun(request, reply, pageInput, {
        replies: runReplies(form),
        is_trapped,
        counted,
        parameters,
        corrected,
        asked_emails,
        ...key,
        page_index: pageInput.snapshot.questions.length,
        refusal,
      })
    const asking = askAboutEmails(pageInput, form, pageInput.snapshot.questions.length)
    if (asking) return sendRun(request, reply, pageInput, { ...asking, ...key })
    // A visitor who began before the quiz was closed can still complete the replies.
    const [error] = submissionErrors(pageInput.snapshot, replies)
    if (error) return goBack(error)
    // The cached first page has neither id nor secret. The form is posted again with both in its address, so that
    // repeated posts count as one participant.
    if (!participant_uuid || !run_secret)
      return reply.redirect(submitAddress(pageInput, key, form), 307)
    try {
      const consents = { consent_version, measure_version }
      const notes = { ...consents, is_trapped, parameters, run_secret }
      const submission = { answers: replies, version: pageInput.version, ...notes }
      const submitter = { quiz_id, participant_uuid, ip: request.ip }
      const storage = { ...deps, ...(await kind.storageOf?.(request)) }
      const { is_new } = await submitResponse(storage, submitter, submission)
      if (is_new) countVisit(request, pageInput, uncountedSteps(pageInput, form))
    } catch (error) {
      if (isLate(error)) return endUnstored(reply, pageInput, replies, 'quiz_closed')
      if (!(error instanceof ApiError && error.status === 422)) throw error
      return goBack(error.message)
    }
    if (await kind.showsEndAtOnce?.(request)) return endUnstored(reply, pageInput, replies)
    return reply.redirect(resultAddress(pageInput, key), 303)
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
    scope.post<Route>(path, { bodyLimit, config: { access, limits: 'page' } }, handleForm)
    const options = { bodyLimit, config: { access, limits: submit_limits } }
    scope.post<Route>(`${path}/resultat`, options, submit)
    scope.get<Route>(`${path}/resultat`, { config: { access, limits: 'page' } }, showEnd)
  })
}

const isLate = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'quiz_full' || error.code === 'quiz_closed')
