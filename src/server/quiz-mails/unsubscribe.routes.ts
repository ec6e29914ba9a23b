import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/html-page.ts'
import { answerFailure, sendPage } from '#server/taking/page-reply.ts'
import { refuseMails } from './refusals.store.ts'
import { UNSUBSCRIBE_PATH, type UnsubscribeLinks } from './unsubscribe-link.ts'

const STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#fff;color:#37352f;',
  'font:1.0625rem/1.5 system-ui,sans-serif;text-align:center}',
  'main{padding:2rem 1rem;max-width:36rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}',
  'p{margin:0 0 1.5rem}button{min-height:2.75rem;padding:.5rem 1.5rem;border:0;border-radius:.5rem;',
  'background:#0a5bc4;color:#fff;font:inherit;font-weight:600}',
  ':focus-visible{outline:2px solid #0a5bc4;outline-offset:2px}',
].join('')

const pageOf = (title: string, text: string, more = ''): HtmlPage =>
  writeHtmlPage({
    title: `${title} – Quizaine`,
    style: STYLE,
    body: `<main><h1>${title}</h1><p>${text}</p>${more}</main>`,
  })

const ASKED = pageOf(
  'Ne plus recevoir d’emails',
  'L’auteur de ce quiz ne vous enverra plus d’emails par Quizaine, pour aucun de ses quiz.',
  // The same address: it says whose mails and which mailbox.
  '<form method="post"><button>Confirmer</button></form>',
)
const DONE = pageOf(
  'C’est fait',
  'Vous ne recevrez plus d’emails de cet auteur par Quizaine. Vous pouvez fermer cette page.',
)
const UNKNOWN = pageOf(
  'Ce lien n’est plus valable',
  'Suivez le lien d’un email plus récent, ou répondez à son auteur.',
)

type Route = { Params: { token: string } }
const LARGEST_BODY = 4_096

/**
 * The end of mails at one's own wish, without an account: opening the address asks, posting to it ends them, which mail
 * programs do by themselves (RFC 8058). What is posted says nothing, whatever its form.
 */
export const serveUnsubscribing = (
  app: FastifyInstance,
  { db, links }: { db: Db; links: UnsubscribeLinks },
): void => {
  const options = { exposeHeadRoute: false, config: { limits: 'page' } } as const
  const path = `${UNSUBSCRIBE_PATH}/:token`
  const send = (reply: FastifyReply, status: number, page: HtmlPage) =>
    sendPage(reply.header('referrer-policy', 'no-referrer'), status, page)

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => null)
    scope.setErrorHandler(answerFailure)
    scope.get<Route>(path, options, async ({ params }, reply) => {
      const isKnown = (await links.read(params.token)) !== undefined
      return send(reply, isKnown ? 200 : 404, isKnown ? ASKED : UNKNOWN)
    })
    scope.post<Route>(path, { ...options, bodyLimit: LARGEST_BODY }, async ({ params }, reply) => {
      const refusal = await links.read(params.token)
      if (!refusal) return send(reply, 404, UNKNOWN)
      await refuseMails(db, refusal)
      return send(reply, 200, DONE)
    })
  })
}
