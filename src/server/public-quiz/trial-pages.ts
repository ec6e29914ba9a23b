import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runStartPath } from '#domain/run/trial-runs.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import type { TrialRuns } from '#server/responses/trial-links.ts'
import { NO_TEST_PAGE } from './message-page.ts'
import type { Route } from './noscript-form.ts'
import { type NoscriptRunsDependencies, registerNoscriptRuns } from './noscript-runs.ts'
import { answerFailure, sendMessage, sendPage } from './page-reply.ts'
import {
  asksForFilledForm,
  completePrefilledPage,
  prefilledLinkOf,
  sendFilledForm,
} from './prefilled-pages.ts'
import { findPublishedOrSend404, type PageRequest } from './quiz-page.ts'
import { writeQuizPage } from './write-quiz-page.ts'

type Dependencies = Omit<NoscriptRunsDependencies, 'submissions'> & { trials: TrialRuns }

/**
 * Sends a 403 page and returns true unless the token opens the quiz as a trial run. Never returns the reply:
 * awaiting a reply gives undefined, which would mean "not refused".
 */
const refuse = async (
  { trials }: Pick<Dependencies, 'trials'>,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  token: unknown,
): Promise<boolean> => {
  const quiz_id = request.params.id.toLowerCase()
  const isOpen = typeof token === 'string' && (await trials.isOpenedBy(quiz_id, token))
  if (!isOpen) sendMessage(request, reply, 403, NO_TEST_PAGE)
  return !isOpen
}

/**
 * Creates the handler of GET /q/{id}?test={token}, the page of a trial run for the owner. The page is not cached, and works
 * before the quiz opens and after it closes. All requests of the page go to addresses below the token.
 */
export const createTrialPage =
  (deps: Pick<Dependencies, 'trials' | 'versionReader' | 'pages' | 'public_url'>) =>
  async (request: PageRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { test } = request.query
    if (await refuse(deps, request, reply, test)) return reply
    const found = await findPublishedOrSend404(deps.versionReader, request, reply)
    if (!found) return reply
    const { quiz_id, published } = found
    const { version, snapshot, rich } = published
    const test_token = String(test)
    const caller = { owner: published.creator_id, signal: responseSignalOf(reply) }
    const pageInput = { quiz_id, version, snapshot, rich, is_embedded: false, test_token, caller }
    const { public_url } = deps
    const url = new URL(runStartPath({ quiz_id }), public_url).href
    const build = await deps.pages.build()
    const link = prefilledLinkOf(request)
    if (link && asksForFilledForm(request)) return sendFilledForm(reply, build, pageInput, link)
    const page = writeQuizPage(pageInput, build, await build.renderPublicPage(pageInput), {
      url,
      public_url,
      is_prefilled: link !== undefined,
    })
    return sendPage(
      reply,
      200,
      link ? completePrefilledPage(request, page, { snapshot, link }) : page,
    )
  }

/** Registers trial runs without JavaScript below /q/{id}/test/{token}. */
export const registerTrialPages = (app: FastifyInstance, deps: Dependencies): void => {
  const { trials, ...runDeps } = deps
  registerNoscriptRuns(
    app,
    { ...runDeps, submissions: trials.submissions },
    {
      path: '/q/:id/test/:token',
      access: 'link',
      submit_limits: 'test_submit',
      refuse: (request, reply) => refuse(deps, request, reply, request.params.token),
      // Owners can test a quiz before it opens.
      find: findPublishedOrSend404,
    },
  )
  // A reload of a posted page sends GET to its address; the visitor returns to the beginning.
  app.get<Route>(
    '/q/:id/test/:token',
    { errorHandler: answerFailure, config: { access: 'anyone', limits: 'page' } },
    async (request, reply) => {
      // A header has no letters of other scripts, which both parts of the address may contain.
      const [quiz_id = '', test_token = ''] = [request.params.id, request.params.token].map(
        (part = '') => encodeURIComponent(part),
      )
      return reply.redirect(runStartPath({ quiz_id, test_token }), 303)
    },
  )
}
