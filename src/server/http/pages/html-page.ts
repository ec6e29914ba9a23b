import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { NO_HTML_FROM_TEXT } from '#server/http/edge/security-headers.ts'

/** Name and content of a `<meta>` element. A name with a colon, such as `og:title`, becomes a `property`. */
export type MetaTag = [name: string, content: string]

type Parts = {
  title: string
  /** Metadata for search engines and social networks; if absent, search engines are asked not to index the page. */
  metas?: MetaTag[]
  /** Canonical address of the page. */
  canonical_url?: string
  /** Address of the oEmbed description of the page (https://oembed.com). */
  oembed_url?: string
  style: string
  /** Address that the browser opens by itself after some seconds. */
  leads_to?: { url: string; seconds: number } | undefined
  /** Trusted HTML. */
  body: string
  /** Module scripts; if absent, the page runs no script. */
  scripts?: string[]
  /** True if the scripts of the page may load other scripts of this site. */
  loads_scripts?: boolean
  /** True if other sites may show the page in a frame. */
  may_be_framed?: boolean
  /**
   * Origin of this site, which a framed page with scripts needs: in a sandbox without an origin, WebKit allows nothing
   * from `'self'`.
   */
  own_origin?: string | undefined
  /** True if the page is written without its end, which differs for each visitor (`appendToPage`). */
  is_open?: boolean | undefined
}

/** End of every page. */
export const PAGE_END = '</body></html>'

/** A complete page and the policy that allows exactly its own style and scripts. */
export type HtmlPage = {
  html: string
  policy: string
  may_be_framed: boolean
  /** True if the end of the page is missing. */
  is_open?: boolean
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const NO_INDEX: MetaTag[] = [['robots', 'noindex']]

const metaTag = ([name, content]: MetaTag): string =>
  `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHtml(content)}">`

/** Writes a self-contained HTML page and its content security policy. */
export const writeHtmlPage = ({
  title,
  metas = NO_INDEX,
  canonical_url,
  oembed_url,
  leads_to,
  style,
  body,
  scripts = [],
  loads_scripts = false,
  may_be_framed = false,
  own_origin,
  is_open = false,
}: Parts): HtmlPage => {
  const html = [
    '<!doctype html><html lang="fr"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    ...metas.map(metaTag),
    canonical_url === undefined ? '' : `<link rel="canonical" href="${escapeHtml(canonical_url)}">`,
    oembed_url === undefined
      ? ''
      : `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed_url)}">`,
    leads_to
      ? `<meta http-equiv="refresh" content="${leads_to.seconds};url=${escapeHtml(leads_to.url)}">`
      : '',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<style>${style}</style></head><body>${body}`,
    ...scripts.map((script) => `<script type="module">${script}</script>`),
    is_open ? '' : PAGE_END,
  ].join('')
  const own = own_origin === undefined ? "'self'" : `'self' ${own_origin}`
  const scriptSources = [...scripts.map(hashOf), ...(loads_scripts ? [own] : [])]
  const policy = [
    "default-src 'none'",
    `script-src ${scriptSources.join(' ') || "'none'"}`,
    `style-src ${hashOf(style)}`,
    `connect-src ${own}`,
    `img-src ${own} data:`,
    ...(style.includes('@font-face') ? [`font-src ${own}`] : []),
    `form-action ${own}`,
    "base-uri 'none'",
    // Even `*` refuses a site whose own frame has no origin, so that framed pages have no such directive.
    ...(may_be_framed ? [] : ["frame-ancestors 'none'"]),
    ...NO_HTML_FROM_TEXT,
  ].join('; ')
  return { html, policy, may_be_framed, ...(is_open && { is_open }) }
}

/** A page in three encodings, each with a strong validator. */
export type CompressedPage = {
  policy: string
  may_be_framed?: boolean
  /** Value of the `Link` header of the response. */
  link?: string
  encodings: EncodedBody[]
}
/** Encoding of a page, with its own validator. */
export type EncodedBody = { name: 'br' | 'gzip' | 'identity'; etag: string; bytes: Buffer }

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Maximum size for the best compression, which takes some tens of milliseconds. */
const MAX_BEST_COMPRESSION_BYTES = 262_144

/** Characters of a validator. */
const ETAG_LENGTH = 21

/** Compresses a page once for all visitors, outside the main thread. The compressed bytes of an open page can be continued. */
export const compressPage = async ({
  html,
  policy,
  may_be_framed,
  is_open = false,
}: Omit<HtmlPage, 'may_be_framed'> & Partial<HtmlPage>): Promise<CompressedPage> => {
  const bytes = Buffer.from(html)
  // 126 bits are enough to tell two pages apart.
  const hash = createHash('sha256').update(policy).update(bytes).digest('base64url')
  const digest = hash.slice(0, ETAG_LENGTH)
  const quality = bytes.length <= MAX_BEST_COMPRESSION_BYTES ? 11 : 5
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gzipped] = await Promise.all([
    compressBrotli(bytes, {
      params,
      ...(is_open && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    }),
    compressGzip(bytes, is_open ? { finishFlush: constants.Z_SYNC_FLUSH } : {}),
  ])
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

/** Characters of Accept-Encoding that are read; browsers send about thirty. */
const MAX_READ_ACCEPT_ENCODING = 300

/** Returns the encodings that a header with weights accepts; q=0 refuses an encoding. */
const readWeighted = (accepted: string): string[] =>
  accepted
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name = '']) => name)

/** Accept-Encoding headers of current browsers, so that the header of most visits is not parsed again. */
const BROWSER_ENCODINGS = new Map(
  ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'gzip, deflate', ''].map((accepted) => [
    accepted,
    readWeighted(accepted),
  ]),
)

/** Returns the smallest encoding that the browser accepts; q=0 in Accept-Encoding refuses an encoding. */
export const chooseEncoding = (page: CompressedPage, accepted = ''): EncodedBody => {
  const names =
    BROWSER_ENCODINGS.get(accepted) ??
    readWeighted(accepted.slice(0, MAX_READ_ACCEPT_ENCODING).toLowerCase())
  const encoded = page.encodings.find(({ name }) => name === 'identity' || names.includes(name))
  if (!encoded) throw new Error('A packed page always has its identity form')
  return encoded
}

/** Returns true if If-None-Match names this validator. */
export const isUnchanged = ({ etag }: EncodedBody, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')))
