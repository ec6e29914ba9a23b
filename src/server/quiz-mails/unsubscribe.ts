import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '#server/db/database.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { answerFailure, sendPage } from '#server/public-quiz/page-reply.ts'
import {
  createSignedLinks,
  createVisibleLinkReader,
  type FormerKeys,
  uuidBytes,
  uuidOfBytes,
} from '#server/runtime/signed-links.ts'
import { hashMailbox, refuseMails } from './mail-limits.store.ts'

/** Creator whose mails a link ends, and digest of the mailbox. The link shows neither. */
export type Unsubscription = { user_id: string; mailbox_hash: Buffer }

const UNSUBSCRIBE_PATH = '/desinscription'
/** Purpose for which the key of the links is derived from SECRET_KEY. */
const PURPOSE = 'links/unsubscribe'
/** Purpose of links with a visible content, which earlier releases mailed. */
const VISIBLE_PURPOSE = 'mails/unsubscribe'
/** Purposes whose keys stay valid after a rotation of SECRET_KEY, for links in earlier mails. */
export const UNSUBSCRIBE_PURPOSES = [PURPOSE, VISIBLE_PURPOSE] as const

const UUID_BYTES = 16
const DIGEST_BYTES = 32

/** Creates and verifies the unsubscribe links. */
export const createUnsubscribeLinks = (
  secretKey: string | Uint8Array,
  public_url: string,
  formerKeys: FormerKeys,
) => {
  const links = createSignedLinks(secretKey, PURPOSE, formerKeys)
  const visible = createVisibleLinkReader(secretKey, VISIBLE_PURPOSE, formerKeys)
  return {
    write: ({ user_id, email }: { user_id: string; email: string }): string => {
      const token = links.write(Buffer.concat([uuidBytes(user_id), hashMailbox(email)]))
      return `${public_url}${UNSUBSCRIBE_PATH}/${token}`
    },
    /** Verifies a token; returns undefined if its signature is invalid. */
    read: async (token: string): Promise<Unsubscription | undefined> => {
      const nb_bytes = UUID_BYTES + DIGEST_BYTES
      const content = (await links.read(token, nb_bytes)) ?? (await visible.read(token, nb_bytes))
      return (
        content && {
          user_id: uuidOfBytes(content.subarray(0, UUID_BYTES)),
          mailbox_hash: content.subarray(UUID_BYTES),
        }
      )
    },
  }
}
/** Creates and verifies unsubscribe links. */
export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>

/** Style of the pages on which people refuse mails. */
export const UNSUBSCRIBE_STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#fff;color:#37352f;',
  'font:1.0625rem/1.5 system-ui,sans-serif;text-align:center}',
  'main{padding:2rem 1rem;max-width:36rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}',
  'p{margin:0 0 1.5rem}form+p{margin-top:2rem}',
  'button{min-height:2.75rem;padding:.5rem 1.5rem;border:0;border-radius:.5rem;',
  'background:#0a5bc4;color:#fff;font:inherit;font-weight:600}',
  ':focus-visible{outline:2px solid #0a5bc4;outline-offset:2px}',
].join('')

const pageOf = (title: string, text: string, more = ''): HtmlPage =>
  writeHtmlPage({
    title: `${title} – Quizaine`,
    style: UNSUBSCRIBE_STYLE,
    body: `<main><h1>${title}</h1><p>${text}</p>${more}</main>`,
  })

const CONFIRM_PAGE = pageOf(
  'Ne plus recevoir d’emails',
  'L’auteur de ce questionnaire ne vous enverra plus d’emails par Quizaine, pour aucun de ses questionnaires.',
  // The form posts to the URL of the page, which contains the token.
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
const MAX_BODY = 4_096

/**
 * Mounts the page to unsubscribe, which needs no account. A GET asks for confirmation and a POST unsubscribes, with
 * any body, as mail programs do (RFC 8058).
 */
export const registerUnsubscribe = (
  app: FastifyInstance,
  { db, links }: { db: Db; links: UnsubscribeLinks },
): void => {
  const options = { exposeHeadRoute: false, config: { access: 'link', limits: 'page' } } as const
  const path = `${UNSUBSCRIBE_PATH}/:token`
  const send = (reply: FastifyReply, status: number, page: HtmlPage) =>
    sendPage(reply.header('referrer-policy', 'no-referrer'), status, page)

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => null)
    scope.setErrorHandler(answerFailure)
    scope.get<Route>(path, options, async ({ params }, reply) => {
      const isKnown = (await links.read(params.token)) !== undefined
      return send(reply, isKnown ? 200 : 404, isKnown ? CONFIRM_PAGE : UNKNOWN)
    })
    scope.post<Route>(path, { ...options, bodyLimit: MAX_BODY }, async ({ params }, reply) => {
      const refusal = await links.read(params.token)
      if (!refusal) return send(reply, 404, UNKNOWN)
      await refuseMails(db, refusal)
      return send(reply, 200, DONE)
    })
  })
}
