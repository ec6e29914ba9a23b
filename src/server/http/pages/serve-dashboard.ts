import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '#domain/common/escape-html.ts'
import type { HostedConfig } from '#server/config/config.ts'
import { pathOf } from '#server/http/edge/fast-path.ts'
import { APP_POLICY, appPolicy } from '#server/http/edge/security-headers.ts'
import { type CompressedPage, chooseEncoding, isUnchanged } from './html-page.ts'
import { isVisitorAddress } from './redirect-damaged-addresses.ts'

/** Folder into which `npm run build` writes the creators' application. */
const DASHBOARD_FOLDER = fileURLToPath(new URL('../../../../dist/dashboard', import.meta.url))

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATED = 'no-cache'

/** Headers for an address that is itself a secret: search engines and other sites must not learn it. */
const SECRET_ADDRESS = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

type Asset = CompressedPage & { type: string; caching: string }

/** Reads a built file and the compressed copies that the build made. */
const readAsset = (path: string, caching: string): Asset => {
  const bytes = readFileSync(path)
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const compressedVariants = [
    { name: 'br' as const, file: `${path}.br` },
    { name: 'gzip' as const, file: `${path}.gz` },
  ].filter(({ file }) => existsSync(file))
  return {
    policy: APP_POLICY,
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    caching,
    encodings: [
      ...compressedVariants.map(({ name, file }) => ({
        name,
        etag: `"${digest}-${name}"`,
        bytes: readFileSync(file),
      })),
      { name: 'identity', etag: `"${digest}"`, bytes },
    ],
  }
}

/**
 * Serves the built application from memory: its files, and one HTML page for every screen (product 7.1). Throws if
 * nothing was built.
 */
export const serveDashboard = (
  app: FastifyInstance,
  {
    hosted,
    folder = DASHBOARD_FOLDER,
  }: { hosted?: HostedConfig | undefined; folder?: string | undefined } = {},
): void => {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The browser files are missing: run `npm run build`.')
  const files = globSync('**/*.{js,css,svg,png,ico,woff2,webmanifest,txt}', { cwd: folder })
  const options = { config: { access: 'anyone' } } as const
  for (const file of files) {
    const caching = file.startsWith('assets/') ? IMMUTABLE : REVALIDATED
    const asset = readAsset(join(folder, file), caching)
    app.get(`/${file}`, options, async (request, reply) =>
      pathOf(request) === `/${file}` ? send(request, reply, asset) : reply.callNotFound(),
    )
  }
  const built = readAsset(join(folder, 'index.html'), REVALIDATED)
  const page = hosted ? pointedAt(built, hosted) : built
  app.get('/statistiques/*', options, async (request, reply) => {
    if (!isScreen(request)) return reply.callNotFound()
    return send(request, reply.headers(SECRET_ADDRESS), { ...page, caching: 'no-store' })
  })
  app.get('/*', options, async (request, reply) => {
    if (!isScreen(request)) return reply.callNotFound()
    return send(request, reply, page)
  })
}

/** The page with the address of the hosted auth service, which its policy allows the browser to call. */
const pointedAt = (page: Asset, { url, anon_key }: HostedConfig): Asset => {
  const meta = `<meta name="auth-service" content="${escapeHtml(url)}" data-key="${escapeHtml(anon_key)}" />`
  const html = page.encodings.find(({ name }) => name === 'identity')?.bytes.toString('utf8') ?? ''
  const bytes = Buffer.from(html.replace('</head>', `${meta}</head>`))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  return { ...page, policy: appPolicy(url), encodings: [{ name: 'identity', etag, bytes }] }
}

/**
 * Returns true if a browser navigates to this address: it accepts `text/html`, which scripts and images do not. Calls
 * of the API and of the auth service never count as navigation.
 */
export const isNavigation = (request: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(request.method) &&
  !isAuthCall(request) &&
  !/^\/api(?:[/?]|$)/.test(request.url) &&
  /\btext\/html\b/.test(request.headers.accept ?? '')

/** Returns true for an address below /auth/v1, existing or not. */
export const isAuthCall = ({ url }: FastifyRequest): boolean => /^\/auth\/v1(?:[/?]|$)/.test(url)

/**
 * Returns true for the address of a screen: it has no dot and its caller accepts HTML. Other unknown addresses are
 * not found.
 */
const isScreen = ({ url, headers }: FastifyRequest): boolean =>
  !/[.%\\]|^\/(?:api|auth|docs)(?:\/|$)/.test(pathOf({ url })) &&
  !isVisitorAddress(url) &&
  (headers.accept ?? '*/*').split(',').some((type) => /^(?:text\/html|\*\/\*)/.test(type.trim()))

const send = (request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply => {
  const encoded = chooseEncoding(asset, request.headers['accept-encoding'])
  reply.headers({
    'content-security-policy': asset.policy,
    'cache-control': asset.caching,
    etag: encoded.etag,
    vary: 'accept-encoding',
  })
  if (isUnchanged(encoded, request.headers['if-none-match'])) return reply.code(304).send()
  if (encoded.name !== 'identity') reply.header('content-encoding', encoded.name)
  return reply.type(asset.type).send(encoded.bytes)
}
