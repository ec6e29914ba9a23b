import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import type { Route } from '#server/public-quiz/noscript-form.ts'
import { answerFailure, PRIVATE_HEADERS, sendPage } from '#server/public-quiz/page-reply.ts'
import { UNSUBSCRIBE_STYLE, type UnsubscribeLinks } from '#server/quiz-mails/unsubscribe.ts'
import { declineInvitation } from './invited-runs.store.ts'
import type { InvitedRuns } from './invited-runs.ts'

/** Dependencies of the page on which a person refuses. */
export type RefusalNeeds = {
  db: Db
  runs: Pick<InvitedRuns, 'findForRefusal'>
  unsubscribe_links: UnsubscribeLinks
}

const pageOf = (title: string, content: string): HtmlPage =>
  writeHtmlPage({
    title: `${title} – Quizaine`,
    style: UNSUBSCRIBE_STYLE,
    body: `<main><h1>${title}</h1>${content}</main>`,
  })

const UNKNOWN = pageOf(
  'Ce lien n’est plus valable',
  '<p>Suivez le lien d’un email plus récent, ou répondez à son auteur.</p>',
)
const DECLINED = pageOf(
  'C’est noté',
  '<p>Vous ne recevrez plus d’email de cette campagne. Vous pouvez fermer cette page.</p>',
)
const REPLIED = pageOf(
  'Vous avez déjà répondu',
  '<p>Aucun rappel ne partira. Vous pouvez fermer cette page.</p>',
)

const choicePage = (unsubscribe_url: string): HtmlPage =>
  pageOf(
    'Ne pas répondre',
    [
      '<p>Si vous confirmez, vous ne recevrez plus de rappel pour ce questionnaire.</p>',
      '<form method=post><button>Je ne souhaite pas répondre</button></form>',
      '<p>Vous pouvez aussi refuser tous les emails de l’auteur de ce questionnaire.</p>',
      `<p><a href="${unsubscribe_url}">Ne plus recevoir d’emails de cet auteur</a></p>`,
    ].join(''),
  )

const MAX_BODY = 4_096
const PATH = '/q/:id/i/:invitation/refus'

/**
 * Mounts the page on which an invited person refuses the mails of a campaign, or all mails of its creator. A GET asks, and
 * a POST refuses, because programs that check mails open links.
 */
export const registerRefusalPage = (
  app: FastifyInstance,
  { db, runs, unsubscribe_links }: RefusalNeeds,
): void => {
  const findByRequest = ({ params }: FastifyRequest<Route>) =>
    runs.findForRefusal({ quiz_id: params.id.toLowerCase(), token: params.invitation ?? '' })
  const options = { exposeHeadRoute: false, config: { access: 'link', limits: 'page' } } as const
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => null)
    scope.setErrorHandler(answerFailure)
    scope.get<Route>(PATH, options, async (request, reply) => {
      reply.headers(PRIVATE_HEADERS)
      const invitation = await findByRequest(request)
      if (!invitation) return sendPage(reply, 404, UNKNOWN)
      if (invitation.state === 'replied') return sendPage(reply, 200, REPLIED)
      const { creator_id: user_id, email } = invitation
      const unsubscribe_url = unsubscribe_links.write({ user_id, email })
      return sendPage(reply, 200, choicePage(unsubscribe_url))
    })
    scope.post<Route>(PATH, { ...options, bodyLimit: MAX_BODY }, async (request, reply) => {
      reply.headers(PRIVATE_HEADERS)
      const invitation = await findByRequest(request)
      if (!invitation) return sendPage(reply, 404, UNKNOWN)
      await declineInvitation(db, invitation)
      return sendPage(reply, 200, invitation.state === 'replied' ? REPLIED : DECLINED)
    })
  })
}
