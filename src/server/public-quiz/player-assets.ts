import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import {
  FAMILIES,
  type Family,
  FONT_WEIGHTS,
  fontAddress,
} from '#domain/questionnaire/look/fonts.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { pathOf } from '#server/http/edge/fast-path.ts'
import { type CompressedPage, compressPage } from '#server/http/pages/html-page.ts'
import { sendCompressed } from './page-reply.ts'
import { PLAYER_FOLDER } from './player-build.ts'

/** Caching of files whose address contains a digest. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const FILES = Object.keys(FAMILIES).flatMap((family) =>
  FONT_WEIGHTS.map((weight) => ({
    address: fontAddress(family as Family, weight),
    file: `@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`,
  })),
)

const ANYONE = { config: { access: 'anyone' } } as const

/**
 * Registers GET /fonts/{family}-{weight}.{digest}.woff2. Each font of the public pages is read from disk at its
 * first request.
 */
export const serveFonts = (app: FastifyInstance): void => {
  const files = new Map(FILES.map(({ address, file }) => [address, file]))
  const read = new Map<string, Buffer>()
  app.get('/fonts/:name', ANYONE, (request, reply) => {
    const address = pathOf(request)
    const file = files.get(address)
    if (!file) throw notFound('Police introuvable')
    const bytes = read.get(address) ?? readFileSync(fileURLToPath(import.meta.resolve(file)))
    read.set(address, bytes)
    // Sandboxed frames have no origin, so that every site may read the fonts.
    const headers = { 'cache-control': IMMUTABLE, 'access-control-allow-origin': '*' }
    return reply.headers(headers).type('font/woff2').send(bytes)
  })
}

const SENT = {
  type: 'text/javascript; charset=utf-8',
  // The address has no version, so the script is cached for one hour only.
  caching: 'public, max-age=3600',
  is_shared: true,
}
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * Registers GET /embed.js, the script for pages that embed a quiz (src/web/embed/embed.ts). The origin of `public_url` is
 * written into the script, so that copies on other sites know where the quizzes are.
 */
export const serveEmbedScript = (
  app: FastifyInstance,
  {
    public_url,
    player_folder = PLAYER_FOLDER,
  }: { public_url: string; player_folder?: URL | undefined },
): void => {
  const origin = JSON.stringify(new URL(public_url).origin)
  const read = async (): Promise<CompressedPage> => {
    const built = await readFile(new URL('embed.js', player_folder), 'utf8')
    const html = built.replace(/\bSITE_ORIGIN\b/g, () => origin)
    return compressPage({ html, policy: POLICY, may_be_framed: false })
  }
  let script: Promise<CompressedPage> | undefined
  app.get('/embed.js', ANYONE, async (request, reply) => {
    script ??= read()
    return sendCompressed(request, reply, await script, SENT)
  })
}

/**
 * Registers GET /assets/player-{digest}.js, the second file of every public page, and GET /assets/player-phones-{digest}.js,
 * which reads phone numbers. A page of another release gets a 404 and ends without them. Sandboxed frames have no origin, so
 * that every site may read the files.
 */
export const servePlayerFiles = (app: FastifyInstance, player_folder = PLAYER_FOLDER): void => {
  const files = new Map<string, Promise<CompressedPage>>()
  const pack = async (file: URL): Promise<CompressedPage> =>
    compressPage({ html: await readFile(file, 'utf8'), policy: POLICY, may_be_framed: false })
  type Route = { Params: { digest: string } }
  app.get<Route>('/assets/player-:digest(^[\\w-]+).js', ANYONE, async (request, reply) => {
    const address = `/assets/player-${request.params.digest}.js`
    const file = new URL(`.${address}`, player_folder)
    // An address with escapes would store the file again for each of its spellings.
    if (pathOf(request) !== address || !existsSync(file)) throw notFound('Fichier introuvable')
    const compressed = files.get(file.href) ?? pack(file)
    files.set(file.href, compressed)
    reply.header('access-control-allow-origin', '*')
    const sent = { ...SENT, caching: IMMUTABLE, has_digest: true }
    return sendCompressed(request, reply, await compressed, sent)
  })
}
