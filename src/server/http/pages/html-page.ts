import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { NO_HTML_FROM_TEXT } from '#server/http/edge/security-headers.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text made safe for an element's content and for a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

/** What a `<meta>` says: its name, or its property where that has a colon as `og:title` does. */
export type MetaTag = [name: string, content: string]

type Parts = {
  title: string
  /** For search engines and social networks; absent: they are asked to leave the page out. */
  metas?: MetaTag[]
  /** The page's one address. */
  canonical_url?: string
  style: string
  /** Where the browser goes by itself after a while. */
  leads_to?: { url: string; seconds: number } | undefined
  /** Ready HTML. */
  body: string
  /** Modules; absent: the page runs nothing. */
  scripts?: string[]
  /** Whether other sites may show it in a frame. */
  may_be_framed?: boolean
}

/** A whole page, and the policy under which exactly its own style and scripts run. */
export type HtmlPage = { html: string; policy: string; may_be_framed: boolean }

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const NO_INDEX: MetaTag[] = [['robots', 'noindex']]

const metaTag = ([name, content]: MetaTag): string =>
  `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`

/** Writes a page that needs nothing but itself. */
export const writeHtmlPage = ({
  title,
  metas = NO_INDEX,
  canonical_url,
  leads_to,
  style,
  body,
  scripts = [],
  may_be_framed = false,
}: Parts): HtmlPage => {
  const html = [
    '<!doctype html><html lang="fr"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    ...metas.map(metaTag),
    canonical_url === undefined ? '' : `<link rel="canonical" href="${escapeHtml(canonical_url)}">`,
    leads_to
      ? `<meta http-equiv="refresh" content="${leads_to.seconds};url=${escapeHtml(leads_to.url)}">`
      : '',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<style>${style}</style></head><body>${body}`,
    ...scripts.map((script) => `<script type="module">${script}</script>`),
    '</body></html>',
  ].join('')
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(hashOf).join(' ')}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    ...(style.includes('@font-face') ? ["font-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${may_be_framed ? '*' : "'none'"}`,
    ...NO_HTML_FROM_TEXT,
  ].join('; ')
  return { html, policy, may_be_framed }
}

/** A page as it goes out: the same bytes three times, each with its own strong validator. */
export type CompressedPage = { policy: string; may_be_framed?: boolean; encodings: EncodedBody[] }
export type EncodedBody = { name: 'br' | 'gzip' | 'identity'; etag: string; bytes: Buffer }

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Up to this size the best compression takes some tens of milliseconds, once for each version. */
const LARGEST_FOR_BEST = 262_144

/** Compresses a page once for all visitors, off the main thread. */
export const compressPage = async ({
  html,
  policy,
  may_be_framed,
}: Omit<HtmlPage, 'may_be_framed'> & Partial<HtmlPage>): Promise<CompressedPage> => {
  const bytes = Buffer.from(html)
  const digest = createHash('sha256').update(policy).update(bytes).digest('base64url')
  const quality = bytes.length <= LARGEST_FOR_BEST ? 11 : 5
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gzipped] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes)])
  return {
    policy,
    may_be_framed,
    encodings: [
      { name: 'br', etag: `"${digest}-br"`, bytes: br },
      { name: 'gzip', etag: `"${digest}-gz"`, bytes: gzipped },
      { name: 'identity', etag: `"${digest}"`, bytes },
    ],
  }
}

/** The smallest form that the browser takes; an encoding it names with q=0 is one it refuses. */
export const chooseEncoding = (page: CompressedPage, accepted = ''): EncodedBody => {
  const names = accepted
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  const encoded = page.encodings.find(({ name }) => name === 'identity' || names.includes(name))
  if (!encoded) throw new Error('A packed page always has its identity form')
  return encoded
}

/** True when If-None-Match names this validator. */
export const isUnchanged = ({ etag }: EncodedBody, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')))
