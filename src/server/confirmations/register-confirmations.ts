import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import type { HtmlPage } from '#server/http/pages/html-page.ts'
import { MISSING_VISITOR_PAGE } from '#server/public-quiz/message-page.ts'
import {
  answerFailure,
  PRIVATE_HEADERS,
  sendMessage,
  sendPage,
} from '#server/public-quiz/page-reply.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import { CONFIRMATION_SEGMENT, type ConfirmationLinks } from './confirmation-links.ts'
import { confirmationPage, confirmedPage } from './confirmation-pages.ts'
import {
  confirmAddress,
  findConfirmationRequest,
  type ParticipantKey,
} from './confirmations.store.ts'

type Route = { Params: { id: string; token: string } }

const PATH = `/q/:id/${CONFIRMATION_SEGMENT}/:token`
const MAX_BODY = 4_096

/**
 * Registers /q/{id}/confirmation/{token}, where participants confirm their address (docs/decisions/080). A GET changes
 * nothing, because mail scanners follow links; a POST confirms, with any body and without a cookie or JavaScript.
 */
export const registerConfirmations = (
  app: FastifyInstance,
  { db, links, wake }: { db: Db; links: ConfirmationLinks; wake: () => void },
): void => {
  const findView = async (key: ParticipantKey | undefined) => {
    const request = key && (await findConfirmationRequest(db, key))
    const snapshot = request && (await findCachedVersion(db, key.quiz_id, request.version))
    return request && snapshot && { request, quiz: snapshot.quiz }
  }

  /** Sends the page of a link; the same 404 page for a forged link and an erased participant. */
  const send = async (
    request: FastifyRequest<Route>,
    reply: FastifyReply,
    act: (key: ParticipantKey) => Promise<boolean>,
  ): Promise<FastifyReply> => {
    reply.headers(PRIVATE_HEADERS)
    const key = await links.read(request.params.id.toLowerCase(), request.params.token)
    const isConfirmedNow = key !== undefined && (await act(key))
    const view = await findView(key)
    if (!view) return sendMessage(request, reply, 404, MISSING_VISITOR_PAGE)
    const answer: { status: number; page: HtmlPage } = isConfirmedNow
      ? { status: 200, page: confirmedPage(view) }
      : confirmationPage(view)
    return sendPage(reply, answer.status, answer.page)
  }

  const confirm = async (key: ParticipantKey): Promise<boolean> => {
    if (!(await confirmAddress(db, key))) return false
    audit('address_confirmed', { object_id: key.quiz_id })
    wake()
    return true
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => null)
    scope.setErrorHandler(answerFailure)
    const config = { access: 'link', limits: 'participant_page' } as const
    scope.get<Route>(PATH, { exposeHeadRoute: false, config }, (request, reply) =>
      send(request, reply, async () => false),
    )
    scope.post<Route>(PATH, { bodyLimit: MAX_BODY, config }, (request, reply) =>
      send(request, reply, confirm),
    )
  })
}
