import type { FastifyInstance } from 'fastify'
import { notFound } from '#server/http/errors.ts'
import { packPage } from '#server/http/packed-page.ts'
import { sendPacked } from './page-reply.ts'
import type { PublicPages } from './public-pages.ts'

/** The address says what is in it. */
const SENT = {
  type: 'text/javascript; charset=utf-8',
  caching: 'public, max-age=31536000, immutable',
}
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * GET /player.{digest}.js: the script of every public page, which runs once the page is shown. 404 for that of another
 * build: a page that cannot have its script is taken through the server, as without scripts.
 */
export const servePlayerScript = (
  app: FastifyInstance,
  { build }: Pick<PublicPages, 'build'>,
): void => {
  let packing: Promise<{ address: string; page: Awaited<ReturnType<typeof packPage>> }> | undefined
  const pack = async () => {
    const { address, text } = (await build()).script
    return { address, page: await packPage({ html: text, policy: POLICY }) }
  }
  app.get('/player.:digest(^[0-9a-f]{16}).js', async (request, reply) => {
    packing ??= pack().catch((error: unknown) => {
      packing = undefined
      throw error
    })
    const { address, page } = await packing
    if (request.url.split('?', 1)[0] !== address) throw notFound('Script introuvable')
    return sendPacked(request, reply, page, SENT)
  })
}
