import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { type PackedPage, packPage } from '#server/http/packed-page.ts'
import { sendPacked } from './page-reply.ts'
import { PLAYER_FOLDER } from './player-build.ts'

const SENT = {
  type: 'text/javascript; charset=utf-8',
  // Sites name it without a version: an hour later they have the one that was deployed since.
  caching: 'public, max-age=3600',
  is_shared: true,
}
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** GET /embed.js: what other sites load beside a quiz (src/web/embed/embed.ts). */
export const serveEmbedScript = (app: FastifyInstance, player_folder = PLAYER_FOLDER): void => {
  let script: Promise<PackedPage> | undefined
  app.get('/embed.js', async (request, reply) => {
    script ??= readFile(new URL('embed.js', player_folder), 'utf8').then((html) =>
      packPage({ html, policy: POLICY, may_be_framed: false }),
    )
    return sendPacked(request, reply, await script, SENT)
  })
}
