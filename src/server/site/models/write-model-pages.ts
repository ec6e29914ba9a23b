import { escapeHtml } from '#domain/common/escape-html.ts'
import { QUESTION_TYPE_NAMES } from '#domain/questionnaire/question-type-names.ts'
import { isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { describeTemplate, TEMPLATE_GOALS, type Template } from '#domain/templates/templates.ts'
import type { HtmlPage } from '#server/http/pages/html-page.ts'
import { type Crumb, writeSitePage } from '#server/site/site-page.ts'

const CRUMB: Crumb = ['/modeles', 'Modèles']

const pathOf = ({ key }: Template): string => `/modeles/${key}`
/** Path that creates a questionnaire from a template, after the sign-in (web/editor/details/details-page.tsx). */
const creationPathOf = ({ key }: Template): string => `/quiz/create?modele=${key}`

/** Writes the texts of templates, whose only marks are bold and insertions. */
const paragraphsOf = (text: string | null): string =>
  (text ?? '')
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const html = escapeHtml(paragraph.trim())
        .replaceAll('**', '')
        .replace(/\{\{([^{}]*)\}\}/g, '<em>[$1]</em>')
      return `<p>${html.replaceAll('\n', '<br>')}</p>`
    })
    .join('')

const cardOf = (template: Template): string => {
  const { draft, purpose } = template
  return [
    `<li><h3><a href="${pathOf(template)}">${escapeHtml(draft.quiz.name)}</a></h3>`,
    `<p>${escapeHtml(purpose)}</p><p class="quiet">${describeTemplate(draft)}</p></li>`,
  ].join('')
}

/** Writes the gallery of templates, by goal. */
export const writeGallery = (templates: readonly Template[], public_url: string): HtmlPage =>
  writeSitePage({
    title: 'Modèles de quiz et de sondages',
    description: `${templates.length} modèles de quiz et de sondages en français, prêts à publier : diagnostics, formation, avis, contacts.`,
    public_url,
    path: CRUMB[0],
    main: [
      '<h1>Modèles de quiz et de sondages</h1>',
      '<p class="lead">Des questionnaires prêts à publier, avec leurs questions, leurs résultats et leur apparence. Choisissez, essayez, puis changez ce que vous voulez.</p>',
      ...TEMPLATE_GOALS.map(([goal, name]) => {
        const own = templates.filter((template) => template.goal === goal)
        return `<h2>${escapeHtml(name)}</h2><ul class="cards">${own.map(cardOf).join('')}</ul>`
      }),
    ].join(''),
  })

const questionOf = (question: Question): string => {
  const details =
    question.type === 'multiple_choice'
      ? `<ul>${question.answers.map(({ text }) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`
      : `<br><span class="quiet">${QUESTION_TYPE_NAMES[question.type]}</span>`
  return `<li><strong>${escapeHtml(question.text)}</strong>${details}</li>`
}

/** Data for search engines. A browser runs no script of this type, whatever the policy says. */
const structuredData = (template: Template, public_url: string): string => {
  const { draft, purpose } = template
  const data = {
    '@context': 'https://schema.org',
    '@type': isSondage(draft.quiz) ? 'CreativeWork' : 'Quiz',
    name: draft.quiz.name,
    description: purpose,
    inLanguage: 'fr',
    url: public_url + pathOf(template),
  }
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

const section = (title: string, html: string): string =>
  html === '' ? '' : `<h2>${escapeHtml(title)}</h2>${html}`

const button = (template: Template): string =>
  `<p><a class="button" href="${creationPathOf(template)}">Utiliser ce modèle</a></p>`

/** Writes the page of a template: its audience, questions and results, and the link that creates a questionnaire. */
export const writeModelPage = (template: Template, public_url: string): HtmlPage => {
  const { draft, purpose, audience } = template
  const { quiz, questions, results, dimensions } = draft
  const named = (name: string, text: string | null): string =>
    `<h3>${escapeHtml(name)}</h3>${paragraphsOf(text)}`
  return writeSitePage({
    title: `${quiz.name} – modèle`,
    description: `${purpose} ${describeTemplate(draft)}.`,
    public_url,
    path: pathOf(template),
    crumbs: [CRUMB],
    main: [
      `<h1>${escapeHtml(quiz.name)}</h1><p class="lead">${escapeHtml(purpose)}</p>`,
      `<p class="quiet">${describeTemplate(draft)}</p>`,
      button(template),
      '<p class="quiet">Vous vous connectez, ou vous créez un compte, puis le modèle s’ouvre : vous pouvez l’essayer avant de l’utiliser.</p>',
      section('Pour qui', `<p>${escapeHtml(audience)}</p>`),
      section('Questions', `<ol>${questions.map(questionOf).join('')}</ol>`),
      section(
        'Dimensions',
        dimensions.map(({ name, description }) => named(name, description)).join(''),
      ),
      section(
        'Résultats',
        results.map(({ name, description }) => named(name, description)).join(''),
      ),
      button(template),
      structuredData(template, public_url),
    ].join(''),
  })
}

/** Writes the page of a template that does not exist. */
export const writeMissingModelPage = (public_url: string): HtmlPage =>
  writeSitePage({
    title: 'Modèle introuvable',
    public_url,
    crumbs: [CRUMB],
    main: '<h1>Modèle introuvable</h1><p>Ce modèle n’existe pas, ou il a changé de nom. <a href="/modeles">Voir tous les modèles</a>.</p>',
  })
