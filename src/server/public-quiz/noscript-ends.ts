import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { dimensionInsertions } from '#domain/run/dimensions.ts'
import { fillAddress, insertionsOf } from '#domain/run/rich-text.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { submissionErrors } from '#domain/run/submission-checks.ts'
import { runStartPath } from '#domain/run/trial-runs.ts'
import { NO_OFFERS } from '#server/published-versions/published-versions.ts'
import { findOwnRun } from '#server/responses/run-secret.ts'
import { askedEmail, firstResult } from '#server/responses/submission-result.ts'
import type { SubmissionNeeds } from '#server/responses/submit-response.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { unpublishedPage } from './message-page.ts'
import {
  type Route,
  readNoscriptForm,
  requestContext,
  resultAddress,
  servedTo,
} from './noscript-form.ts'
import { sendMessage, sendPage } from './page-reply.ts'
import type { ServedVersion } from './player-build.ts'
import type { PublicPages } from './public-pages.ts'
import type { findPublishedOrSend404 } from './quiz-page.ts'
import { writeNoscriptPage } from './write-quiz-page.ts'

/** Seconds before a result page redirects. The page announces the redirect and offers to stay. */
const REDIRECT_DELAY_S = 5

/**
 * Creates the handlers that show the end of a run without JavaScript: of a stored run, and of a run that is not stored
 * because the quiz was withdrawn or closed meanwhile. `find` finds the quiz of a request or answers it.
 */
export const createNoscriptEnds = (
  { versionReader, submissions, links, pages }: SubmissionNeeds & { pages: PublicPages },
  find: typeof findPublishedOrSend404,
) => {
  /** Returns true if the quiz of the address is not published any more. */
  const isWithdrawn = async (id: string): Promise<boolean> =>
    UUID.test(id) && (await versionReader.current(id.toLowerCase()))?.is_published === false

  /** Shows the result of a run whose quiz was withdrawn in the meantime. The run is not stored. */
  const endWithdrawn = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const quiz_id = request.params.id.toLowerCase()
    const { version, replies, participant_uuid, run_secret } = readNoscriptForm(request)
    const version_of_run = version ? await versionReader.ofVersion(quiz_id, version) : undefined
    if (!version_of_run || submissionErrors(version_of_run.snapshot, replies).length > 0)
      return sendMessage(request, reply, 404, unpublishedPage(version_of_run?.snapshot))
    const known = await findOwnRun(submissions, { quiz_id, participant_uuid, run_secret })
    const result = known
      ? await firstResult(versionReader, quiz_id, known)
      : computeResult(version_of_run.snapshot, replies, PUBLIC_RULES)
    const pageInput = { ...version_of_run, quiz_id, ...servedTo(reply, version_of_run.creator_id) }
    const build = await pages.build()
    const rendered = await build.renderServedEnding(pageInput, {
      result,
      replies,
      ...(!known && { refusal: 'quiz_not_published' }),
    })
    return sendPage(reply, known ? 200 : 403, writeNoscriptPage(pageInput, rendered))
  }

  /**
   * Shows the result of a run to which nothing stored leads: the run ended after the quiz was closed (`refusal`), or its
   * reply is anonymous.
   */
  const endUnstored = async (
    reply: FastifyReply,
    pageInput: ServedVersion,
    replies: Replies,
    refusal?: 'quiz_closed',
  ) => {
    const build = await pages.build()
    const result = computeResult(pageInput.snapshot, replies, PUBLIC_RULES)
    const rendered = await build.renderServedEnding(pageInput, {
      result,
      replies,
      ...(refusal && { refusal }),
    })
    return sendPage(reply, refusal ? 403 : 200, writeNoscriptPage(pageInput, rendered))
  }

  /** Shows the end of a stored run. Other requests are sent to the first page. */
  const showEnd = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const quiz_id = request.params.id.toLowerCase()
    const participant_uuid = String(request.query.participant)
    const run_secret = String(request.query.secret)
    // Stored participants find their result even if the quiz was withdrawn later.
    const known =
      UUID.test(quiz_id) && UUID.test(participant_uuid)
        ? await findOwnRun(submissions, { quiz_id, participant_uuid, run_secret })
        : undefined
    const version_of_run = known && (await versionReader.ofVersion(quiz_id, known.version))
    if (!version_of_run) {
      const found = await find(versionReader, request, reply)
      if (!found) return reply
      const { is_embedded, ...run } = requestContext(request)
      return reply.redirect(
        runStartPath({ quiz_id, ...run }) + (is_embedded ? '?embed=1' : ''),
        303,
      )
    }
    const pageInput = { ...version_of_run, quiz_id, ...servedTo(reply, version_of_run.creator_id) }
    const build = await pages.build()
    const result = await firstResult(versionReader, quiz_id, known)
    // A frame would redirect only itself, so frames and trial runs show a link instead.
    const isLeading =
      request.query.rester !== '1' && !pageInput.is_embedded && pageInput.test_token === undefined
    const replies = unpackReplies(version_of_run.snapshot, known)
    const url =
      isLeading && result?.redirect_url
        ? fillAddress(
            result.redirect_url,
            insertionsOf(
              version_of_run.snapshot,
              replies,
              result,
              dimensionInsertions(version_of_run.snapshot, replies),
            ),
          )
        : undefined
    const { keeps_page } = links ? await versionReader.offersOf(quiz_id) : NO_OFFERS
    const run = { snapshot: version_of_run.snapshot, replies }
    const documents = links?.of({ quiz_id, participant_uuid }, run, {
      keeps_page,
      asked_email: askedEmail(known),
    })
    const rendered = await build.renderServedEnding(pageInput, {
      result,
      replies,
      documents,
      stay_href: url
        ? `${resultAddress(pageInput, { participant_uuid, run_secret })}&rester=1`
        : undefined,
    })
    const leads_to = url ? { url, seconds: REDIRECT_DELAY_S } : undefined
    return sendPage(reply, 200, writeNoscriptPage(pageInput, rendered, leads_to))
  }

  return { isWithdrawn, endWithdrawn, endUnstored, showEnd }
}
