import { comparableText } from '#domain/common/comparable-text.ts'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { shortenText } from '#domain/common/text.ts'
import type { HtmlPage } from '#server/http/pages/html-page.ts'
import { type Crumb, searchForm, writeSitePage } from '#server/site/site-page.ts'
import { type HelpPage, SUBJECTS } from './read-help.ts'
import { type SearchResult, searchWords } from './search-help.ts'

/** Longest shown part of a paragraph, in characters. */
const MAX_EXCERPT_LENGTH = 220
/** Searches that the page without results proposes. */
const SUGGESTIONS = ['premier quiz', 'intégrer', 'paliers', 'attestation', 'Brevo', 'consentement']

const HOME: Crumb = ['/aide', 'Aide']

const pathOf = ({ slug }: HelpPage): string => `/aide/${slug}`

const linkTo = (page: HelpPage, current?: HelpPage): string =>
  `<a href="${pathOf(page)}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a>`

/** Returns the pages of each subject. */
const bySubject = (pages: readonly HelpPage[]): [name: string, pages: HelpPage[]][] =>
  Object.entries(SUBJECTS).map(([key, name]) => [
    name,
    pages.filter(({ subject }) => subject === key),
  ])

const listOf = (pages: readonly HelpPage[], current?: HelpPage): string =>
  `<ul>${pages.map((page) => `<li>${linkTo(page, current)}</li>`).join('')}</ul>`

/** Writes the list of all help pages, in which the open page is marked. */
const contentsOf = (pages: readonly HelpPage[], current: HelpPage): string =>
  [
    '<nav class="side" aria-labelledby="sommaire"><h2 id="sommaire">Sommaire</h2>',
    ...bySubject(pages).map(([name, own]) => `<h3>${escapeHtml(name)}</h3>${listOf(own, current)}`),
    '</nav>',
  ].join('')

/** Writes the contents as cards. */
const subjectCards = (pages: readonly HelpPage[]): string =>
  [
    '<nav aria-label="Sommaire"><ul class="cards">',
    ...bySubject(pages).map(([name, own]) => `<li><h2>${escapeHtml(name)}</h2>${listOf(own)}</li>`),
    '</ul></nav>',
  ].join('')

/** Writes the first page of the help. */
export const writeHelpHome = (pages: readonly HelpPage[], public_url: string): HtmlPage =>
  writeSitePage({
    title: 'Aide',
    description:
      'Créer un quiz ou un sondage, le publier, l’intégrer à un site, relier un outil d’emailing et lire les statistiques : l’aide de Quizaine, page par page.',
    public_url,
    path: '/aide',
    main: [
      '<h1>Aide</h1>',
      '<p class="lead">Des pages courtes, une par sujet. Dans l’application, les liens « ? » ouvrent la page de ce que vous avez sous les yeux.</p>',
      '<h2 id="sommaire">Sommaire</h2>',
      subjectCards(pages),
      '<p>Vous développez ? <a href="/docs">L’API a son propre mode d’emploi</a>.</p>',
    ].join(''),
  })

/** Writes a page of the help with its neighbours. */
export const writeHelpPage = (
  page: HelpPage,
  pages: readonly HelpPage[],
  public_url: string,
): HtmlPage => {
  const rank = pages.indexOf(page)
  const [previous, next] = [pages[rank - 1], pages[rank + 1]]
  const turns = [
    previous && `<a rel="prev" href="${pathOf(previous)}">← ${escapeHtml(previous.title)}</a>`,
    next && `<a rel="next" href="${pathOf(next)}">${escapeHtml(next.title)} →</a>`,
  ]
  return writeSitePage({
    title: page.title,
    description: page.summary,
    public_url,
    path: pathOf(page),
    crumbs: [HOME, [`/aide#sommaire`, SUBJECTS[page.subject]]],
    main: [
      `<h1>${escapeHtml(page.title)}</h1>${page.html}`,
      `<nav class="turn" aria-label="Pages voisines">${turns.filter(Boolean).join('')}</nav>`,
    ].join(''),
    side: contentsOf(pages, page),
  })
}

/** Escapes a text and marks the words that begin with a searched word. */
const markWords = (text: string, words: readonly string[]): string =>
  text
    .split(/([\p{L}\p{N}]+)/u)
    .map((part, rank) =>
      rank % 2 && words.some((word) => comparableText(part).startsWith(word))
        ? `<mark>${escapeHtml(part)}</mark>`
        : escapeHtml(part),
    )
    .join('')

const resultOf = ({ page, block }: SearchResult, words: readonly string[]): string => {
  const path = block.anchor ? `${pathOf(page)}#${block.anchor}` : pathOf(page)
  return [
    `<li><h2><a href="${path}">${markWords(page.title, words)}</a></h2>`,
    `<p class="quiet">${escapeHtml(SUBJECTS[page.subject])}</p>`,
    `<p>${markWords(shortenText(block.text, MAX_EXCERPT_LENGTH), words)}</p></li>`,
  ].join('')
}

const suggestions = (): string =>
  `<p>Essayez par exemple :</p><ul>${SUGGESTIONS.map(
    (word) => `<li><a href="/aide?q=${encodeURIComponent(word)}">${escapeHtml(word)}</a></li>`,
  ).join('')}</ul>`

const countOf = (nb_results: number): string => {
  if (nb_results === 0) return 'Aucune page trouvée'
  return nb_results === 1 ? '1 page trouvée' : `${nb_results} pages trouvées`
}

/** Writes the results of a search; the contents and suggestions if it is empty or finds nothing. */
export const writeSearchPage = (
  searched: string,
  results: readonly SearchResult[],
  pages: readonly HelpPage[],
  public_url: string,
): HtmlPage => {
  const words = searchWords(searched)
  const status = searched
    ? `${countOf(results.length)} pour « <bdi>${escapeHtml(searched)}</bdi> »`
    : 'Écrivez un mot ou deux dans le champ de recherche.'
  const found = results.map((result) => resultOf(result, words)).join('')
  return writeSitePage({
    title: searched ? `${countOf(results.length)} – Aide` : 'Recherche – Aide',
    public_url,
    crumbs: [HOME],
    query: searched,
    main: [
      `<h1>Recherche dans l’aide</h1><p role="status">${status}</p>`,
      results.length > 0
        ? `<ol class="cards">${found}</ol>`
        : `${suggestions()}${subjectCards(pages)}`,
    ].join(''),
  })
}

/** Writes the page of an address of the help that does not exist. */
export const writeMissingHelpPage = (public_url: string): HtmlPage =>
  writeSitePage({
    title: 'Page d’aide introuvable',
    public_url,
    crumbs: [HOME],
    main: `<h1>Page d’aide introuvable</h1><p>Cette page n’existe pas, ou elle a changé d’adresse. Cherchez un mot, ou ouvrez le <a href="/aide#sommaire">sommaire</a>.</p>${searchForm()}`,
  })
