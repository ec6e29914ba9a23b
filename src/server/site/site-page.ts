import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { type HtmlPage, type MetaTag, writeHtmlPage } from '#server/http/pages/html-page.ts'

/** Longest search that is read, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 100

/** Colours of the creators' screens (web/app/styles.css), light and dark. */
const COLOURS = {
  light:
    '--ink:#37352f;--ink-2:#5f5e5a;--paper:#fff;--card:#fff;--wash:#f7f7f5;--line:#e6e5e1;--field:#8a8984;--brand:#0061bd;--on-brand:#fff;--brand-wash:#e8f2fc',
  dark: '--ink:#edece9;--ink-2:#b4b2ac;--paper:#191918;--card:#222220;--wash:#232322;--line:#363634;--field:#77756f;--brand:#6cb2f7;--on-brand:#0b1a29;--brand-wash:#14283c',
}

const STYLE = [
  `:root{color-scheme:light dark;${COLOURS.light}}`,
  `@media(prefers-color-scheme:dark){:root{${COLOURS.dark}}}`,
  '*{box-sizing:border-box}html{scroll-padding-top:1rem}',
  'body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 Inter,system-ui,"Segoe UI",Roboto,Arial,sans-serif;overflow-wrap:break-word}',
  'a{color:var(--brand)}:focus-visible{outline:2px solid var(--brand);outline-offset:2px;border-radius:2px}',
  '.skip{position:absolute;left:-999rem}.skip:focus{left:.5rem;top:.5rem;padding:.5rem 1rem;background:var(--paper);z-index:1}',
  '.top{border-bottom:1px solid var(--line);background:var(--wash)}',
  '.bar,.page,.foot{max-width:72rem;margin:0 auto;padding:.75rem 1rem}',
  '.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem}',
  '.bar a,.foot a,.crumbs a,.side a,.turn a{display:inline-flex;align-items:center;min-height:2.75rem}',
  '.brand{gap:.625rem;font-weight:600;color:var(--ink);text-decoration:none}.brand svg{width:1.625rem}',
  '.bar nav{display:flex;flex-wrap:wrap;gap:0 1.25rem}.bar [role=search]{margin-left:auto;flex:1 1 18rem;min-width:0;max-width:24rem}',
  '[role=search]{display:flex;gap:.5rem}',
  'input{flex:1;width:0;min-width:0;min-height:2.75rem;padding:0 .75rem;border:1px solid var(--field);border-radius:.5rem;background:var(--paper);color:var(--ink);font:inherit}',
  'button,.button{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1rem;border:0;border-radius:.5rem;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}',
  '.crumbs ol{display:flex;flex-wrap:wrap;gap:0 .5rem;margin:0;padding:0;list-style:none;color:var(--ink-2)}.crumbs li{display:inline-flex;align-items:center}.crumbs li+li::before{content:"›";margin-right:.5rem}',
  'h1{margin:.5rem 0;font-size:1.875rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}',
  'h2{margin:2.25rem 0 .5rem;font-size:1.25rem;line-height:1.3}h3{margin:1.5rem 0 .25rem;font-size:1.0625rem}',
  '.lead{font-size:1.1875rem;color:var(--ink-2)}p,ul,ol{margin:.75rem 0}li{margin:.375rem 0}',
  'code{font:.9375rem ui-monospace,monospace;overflow-wrap:anywhere}',
  '.note{margin:1rem 0;padding:.25rem 1rem;border-left:3px solid var(--brand);background:var(--brand-wash)}',
  'figure{margin:1.5rem 0}img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:.75rem}',
  '.side h2{margin:1rem 0 .25rem;font-size:1.0625rem}.side h3{margin:1rem 0 0;font-size:.9375rem;color:var(--ink-2)}',
  '.side ul{margin:0;padding:0;list-style:none}.side li{margin:0}.side a{line-height:1.3}.side [aria-current]{font-weight:600;color:var(--ink)}',
  '.turn{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 2rem;margin-top:2.5rem;border-top:1px solid var(--line)}',
  '.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:1rem;padding:0;list-style:none}',
  '.cards>li{margin:0;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.875rem;background:var(--card)}.cards h2,.cards h3{margin:.25rem 0}',
  '.cards ul{padding:0;list-style:none}.cards ul a{display:inline-flex;align-items:center;min-height:2.75rem;line-height:1.3}.quiet{color:var(--ink-2)}',
  'mark{background:var(--brand-wash);color:inherit;font-weight:600}dl{margin:.75rem 0}dt{font-weight:600}dd{margin:0 0 .5rem}',
  '.foot{margin-top:3rem;border-top:1px solid var(--line);padding-bottom:2rem}.foot nav{display:flex;flex-wrap:wrap;gap:0 1.25rem}',
  '@media(min-width:60rem){.two{display:grid;grid-template-columns:minmax(0,44rem) 17rem;justify-content:space-between;gap:3rem}.bar a,.foot a,.crumbs a,.side a{min-height:2rem}}',
  '@media(pointer:coarse){.bar a,.foot a,.crumbs a,.side a{min-width:2.75rem;min-height:2.75rem}}',
  '@media print{:root{color-scheme:light;',
  COLOURS.light,
  '}.top nav,[role=search],.skip,.side,.turn,.foot,.crumbs{display:none}.page{max-width:none;padding:0}figure{break-inside:avoid}h2,h3{break-after:avoid}}',
].join('')

const BRAND = [
  '<a class="brand" href="/">',
  '<svg aria-hidden="true" viewBox="0 0 26 26"><circle cx="12.5" cy="12.5" r="9" fill="none" stroke="#17c3b2" stroke-width="5"/><circle cx="21" cy="21" r="4" fill="#ff8c61"/></svg>',
  'Quizaine</a>',
].join('')

const FOOT_LINKS = [
  ['/aide', 'Aide'],
  ['/modeles', 'Modèles'],
  ['/confidentialite', 'Confidentialité'],
  ['/accessibilite', 'Accessibilité'],
  ['/mentions-legales', 'Mentions légales'],
] as const

const linkOf =
  (path: string, current: string) =>
  ([to, name]: readonly [string, string]) =>
    `<a href="${to}"${to === path ? ` aria-current="${current}"` : ''}>${name}</a>`

/** Writes the search form of the help. */
export const searchForm = (query = ''): string =>
  [
    '<form role="search" action="/aide" aria-label="Chercher dans l’aide">',
    `<input type="search" name="q" value="${escapeHtml(query)}" maxlength="${MAX_SEARCH_LENGTH}" aria-label="Chercher dans l’aide" placeholder="Chercher dans l’aide" autocomplete="off">`,
    '<button>Chercher</button></form>',
  ].join('')

/** Address and name of a page above the current one. */
export type Crumb = readonly [path: string, name: string]

const crumbsOf = (crumbs: readonly Crumb[]): string =>
  crumbs.length === 0
    ? ''
    : `<nav class="crumbs" aria-label="Fil d’Ariane"><ol>${crumbs
        .map(([path, name]) => `<li><a href="${path}">${escapeHtml(name)}</a></li>`)
        .join('')}</ol></nav>`

type SitePage = {
  title: string
  /** One sentence for search engines; a page without it is not indexed. */
  description?: string
  /** Address of this site, for the canonical address. */
  public_url: string
  /** Path of the page; undefined for pages without an address of their own. */
  path?: string
  crumbs?: readonly Crumb[]
  /** Trusted HTML of the main part. */
  main: string
  /** Trusted HTML of the navigation next to the main part. */
  side?: string
  /** Search that the form of the page contains. */
  query?: string
}

/** Writes a public page of this site in the look of the creators' screens, without scripts. */
export const writeSitePage = ({
  title,
  description,
  public_url,
  path,
  crumbs = [],
  main,
  side = '',
  query,
}: SitePage): HtmlPage => {
  const metas: MetaTag[] | undefined =
    description === undefined
      ? undefined
      : [
          ['description', description],
          ['og:title', title],
          ['og:description', description],
          ['og:type', 'article'],
        ]
  const current = path ?? ''
  const body = [
    '<a class="skip" href="#contenu">Aller au contenu</a>',
    `<header class="top"><div class="bar">${BRAND}<nav aria-label="Site">`,
    FOOT_LINKS.slice(0, 2).map(linkOf(current, 'page')).join(''),
    `<a href="/dashboard">Mes questionnaires</a></nav>${searchForm(query)}</div></header>`,
    `<div class="page${side ? ' two' : ''}"><main id="contenu" tabindex="-1">${crumbsOf(crumbs)}${main}</main>${side}</div>`,
    `<footer class="foot"><nav aria-label="Pied de page">${FOOT_LINKS.map(linkOf(current, 'page')).join('')}</nav></footer>`,
  ].join('')
  return writeHtmlPage({
    title: `${title} – Quizaine`,
    ...(metas && { metas }),
    ...(metas && path !== undefined && { canonical_url: public_url + path }),
    style: STYLE,
    body: tiePunctuation(body),
  })
}
