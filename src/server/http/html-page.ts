import { createHash } from 'node:crypto'
import { escapeHtml } from '#server/escape-html.ts'
import { NO_HTML_FROM_TEXT } from './security-headers.ts'

/** What a `<meta>` says: its name, or its property where that has a colon as `og:title` does. */
export type Meta = [name: string, content: string]

type Parts = {
  title: string
  /** For search engines and social networks; absent: they are asked to leave the page out. */
  metas?: Meta[]
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

const NO_INDEX: Meta[] = [['robots', 'noindex']]

const metaTag = ([name, content]: Meta): string =>
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
