import { createHash } from 'node:crypto'

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

type Parts = {
  title: string
  /** Text for search engines; absent: they are asked to leave the page out. */
  description?: string
  /** The page's one address; only with a description. */
  canonical_url?: string
  style: string
  /** Ready HTML. */
  body: string
  /** A module; absent: the page runs nothing. */
  script?: string
}

/** A whole page, and the policy under which exactly its own style and script run. */
export type HtmlPage = { html: string; policy: string }

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Writes a page that needs nothing but itself. */
export const writeHtmlPage = (parts: Parts): HtmlPage => {
  const { title, description, canonical_url, style, body, script } = parts
  const html = [
    '<!doctype html><html lang="fr"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    description === undefined
      ? '<meta name="robots" content="noindex">'
      : `<meta name="description" content="${escapeHtml(description)}">`,
    canonical_url === undefined ? '' : `<link rel="canonical" href="${escapeHtml(canonical_url)}">`,
    '<link rel="icon" href="data:,">',
    `<style>${style}</style></head><body>${body}`,
    script === undefined ? '' : `<script type="module">${script}</script>`,
    '</body></html>',
  ].join('')
  const policy = [
    "default-src 'none'",
    `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, policy }
}
