import type { LegalConfig } from '#server/config.ts'
import { escapeHtml } from '#server/escape-html.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/html-page.ts'

/** Where the pages are, in the order of their links, and what they are called. */
export const LEGAL_PAGES = {
  '/confidentialite': 'Confidentialité',
  '/accessibilite': 'Accessibilité',
  '/mentions-legales': 'Mentions légales',
} as const
export type LegalPath = keyof typeof LEGAL_PAGES

const STYLE = [
  'body{margin:0;background:#fff;color:#37352f;font:1.0625rem/1.6 system-ui,sans-serif}',
  'header,main,footer{max-width:42rem;margin:0 auto;padding:1rem}',
  'h1{font-size:1.75rem;line-height:1.25}h2{margin-top:2rem;font-size:1.25rem}',
  'a{color:#0a5bc4}dt{font-weight:600}dd{margin:0 0 .75rem}li{margin-bottom:.375rem}',
  'nav a{margin-right:1rem}footer{padding-bottom:3rem}',
  '.missing{border-left:4px solid #b3261e;padding-left:.75rem}',
  ':focus-visible{outline:2px solid #0a5bc4;outline-offset:2px}',
].join('')

/** A part of a page: its heading, and lines that are paragraphs, lists (one line an entry) or ready HTML. */
export type Section = { title: string; content: (string | string[] | { html: string })[] }

const contentOf = (part: Section['content'][number]): string => {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  if (!Array.isArray(part)) return part.html
  return `<ul>${part.map((entry) => `<li>${escapeHtml(entry)}</li>`).join('')}</ul>`
}

const MISSING = 'Non renseigné par l’exploitant de ce site.'

/** What the operator has said of itself, or that it has not. */
export const given = (value: string | undefined): string => value ?? MISSING

/** Terms and what they are, as a list. */
export const facts = (entries: [term: string, value: string | undefined][]): { html: string } => ({
  html: `<dl>${entries
    .map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(given(value))}</dd>`)
    .join('')}</dl>`,
})

const warning = ({ operator, contact }: LegalConfig): string =>
  operator && contact
    ? ''
    : '<p class="missing">L’exploitant de ce site n’a pas encore complété ces informations : ce qui suit décrit le logiciel, et ne suffit pas à un site ouvert au public.</p>'

/** One of the legal pages, which runs nothing and loads nothing. */
export const writeLegalPage = (
  path: LegalPath,
  legal: LegalConfig,
  sections: readonly Section[],
): HtmlPage => {
  const title = LEGAL_PAGES[path]
  const links = Object.entries(LEGAL_PAGES).map(([to, name]) =>
    to === path ? `<a href="${to}" aria-current="page">${name}</a>` : `<a href="${to}">${name}</a>`,
  )
  const parts = sections.map(
    (section) =>
      `<section><h2>${escapeHtml(section.title)}</h2>${section.content.map(contentOf).join('')}</section>`,
  )
  return writeHtmlPage({
    title: `${title} – Quizaine`,
    style: STYLE,
    body: [
      '<header><a href="/">Quizaine</a></header>',
      `<main><h1>${title}</h1>${warning(legal)}${parts.join('')}</main>`,
      `<footer><nav aria-label="Informations légales">${links.join('')}</nav></footer>`,
    ].join(''),
  })
}
