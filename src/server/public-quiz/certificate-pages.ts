import type { FastifyInstance } from 'fastify'
import { dayInWords } from '#domain/common/date-words.ts'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import {
  certificateIssuer,
  certificateName,
  certificatePercent,
  certificateTitle,
  formatCertificateNumber,
  parseCertificateNumber,
} from '#domain/reports/certificate.ts'
import { formatPercent } from '#domain/run/dimensions.ts'
import type { Db } from '#server/db/database.ts'
import { cleanPublicAddress } from '#server/http/pages/clean-public-address.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { findCertificate, findRun, type StoredRun } from '#server/reports/reports.store.ts'
import { MISSING_DOCUMENT_PAGE } from './message-page.ts'
import { answerFailure, PRIVATE_HEADERS, sendMessage, sendPage } from './page-reply.ts'

/** Path of the page that asks for the number of a certificate, and prefix of those that confirm one. */
const PATH = '/attestation'
/** Maximum length of a typed number. A whole address of a certificate is also accepted. */
const MAX_TYPED_LENGTH = 300

const STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#fff;color:#37352f;',
  'font:1.0625rem/1.5 system-ui,sans-serif}',
  'main{box-sizing:border-box;width:100%;padding:2rem 1rem;max-width:36rem;overflow-wrap:anywhere}',
  'h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1.5rem}',
  'dl{margin:0 0 1.5rem;border-top:1px solid #c9c8c4}',
  'dl div{padding:.625rem 0;border-bottom:1px solid #c9c8c4}',
  'dt{color:#5b5b57;font-size:.9375rem}dd{margin:0;font-weight:600}a{color:#0a5bc4}',
  'label{display:block;font-weight:600}form p{margin:0 0 .5rem}#aide{color:#5b5b57}',
  '#erreur{color:#b3261e}#erreur::before{content:"⚠ "}',
  'input{box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;',
  'border:1px solid #8b8a86;border-radius:.5rem;margin:0 0 1rem}[aria-invalid]{border-color:#b3261e}',
  'button{min-height:2.75rem;padding:.5rem 1.5rem;border:0;border-radius:.5rem;background:#0a5bc4;',
  'color:#fff;font:inherit;font-weight:600}',
  ':focus-visible{outline:2px solid #0a5bc4;outline-offset:2px}',
].join('')

const ERRORS = {
  malformed: 'Ce n’est pas un numéro d’attestation : il a seize lettres et chiffres.',
  unknown:
    'Aucune attestation ne porte ce numéro : il est à vérifier. Les attestations d’un participant effacé n’existent plus.',
}

/** Writes the page that asks for a number, with the refused number and the reason. */
const formPage = (refused?: { typed: string; error: keyof typeof ERRORS }): HtmlPage => {
  const title = 'Vérifier une attestation'
  const described = refused ? 'erreur aide' : 'aide'
  const state = refused ? ` value="${escapeHtml(refused.typed)}" aria-invalid="true" autofocus` : ''
  return writeHtmlPage({
    title: tiePunctuation(refused ? `Erreur : ${title}` : title),
    style: STYLE,
    body: [
      `<main><h1>${title}</h1>`,
      '<p>Cette page dit si une attestation est authentique, et ce qu’elle indique.</p>',
      `<form action="${PATH}"><label for="numero">Numéro de l’attestation</label>`,
      '<p id="aide">Il est imprimé en bas du document, par exemple 7K3M-9XQ2-0V4T-HB8C.</p>',
      refused ? `<p id="erreur">${tiePunctuation(ERRORS[refused.error])}</p>` : '',
      `<input id="numero" name="numero" required maxlength="${MAX_TYPED_LENGTH}" autocomplete="off"`,
      ` autocapitalize="characters" spellcheck="false" aria-describedby="${described}"${state}>`,
      '<button>Vérifier</button></form></main>',
    ].join(''),
  })
}
const FORM = formPage()

/** Returns the bytes of a typed number, which may also be the address of a certificate; undefined for other texts. */
const readTypedNumber = (typed: string): Uint8Array | undefined => {
  const last = typed.split('/').findLast((part) => part.trim() !== '') ?? ''
  const clean = cleanPublicAddress(`${PATH}/${encodeURIComponent(last.toWellFormed())}`) ?? ''
  return parseCertificateNumber(clean.slice(PATH.length + 1))
}

/** Run with a certificate, and what the certificate prints. */
type ConfirmedRun = { run: StoredRun; day: string; percent: number }

/** Returns the run whose certificate has this number; undefined if no certificate has the number. */
const findConfirmedRun = async (db: Db, bytes: Uint8Array): Promise<ConfirmedRun | undefined> => {
  const found = await findCertificate(db, bytes)
  const run = found && (await findRun(db, found))
  const percent = run ? certificatePercent(run.snapshot, run.replies) : null
  return found && run && percent !== null ? { run, day: found.day, percent } : undefined
}

/** Writes the page that confirms what a certificate prints. */
const confirmationPage = (bytes: Uint8Array, { run, day, percent }: ConfirmedRun): HtmlPage => {
  const facts: [label: string, value: string | null][] = [
    ['Décernée à', certificateName(run)],
    ['Délivrée par', certificateIssuer(run.snapshot)],
    ['Titre', certificateTitle(run.snapshot)],
    ['Questionnaire', run.snapshot.quiz.name],
    ['Date', dayInWords(day)],
    ['Résultat', formatPercent(percent)],
    ['Numéro', formatCertificateNumber(bytes)],
  ]
  const rows = facts.map(([label, value]) =>
    value === null
      ? ''
      : `<div><dt>${label}</dt><dd dir="auto">${escapeHtml(tiePunctuation(value))}</dd></div>`,
  )
  return writeHtmlPage({
    title: 'Attestation authentique',
    style: STYLE,
    body: [
      '<main><h1>Attestation authentique</h1>',
      '<p>Cette attestation a bien été délivrée. Voici ce qu’elle indique.</p>',
      `<dl>${rows.join('')}</dl><a href="${PATH}">Vérifier une autre attestation</a></main>`,
    ].join(''),
  })
}

/**
 * Registers GET /attestation, which asks for the number of a certificate, and GET /attestation/{number}, which
 * confirms what the certificate prints. The pages need no script and no account. Unknown numbers in an address get the
 * 404 page of missing documents.
 */
export const registerCertificatePages = (app: FastifyInstance, { db }: { db: Db }): void => {
  const options = {
    errorHandler: answerFailure,
    config: { access: 'anyone', limits: 'report' },
  } as const

  app.get<{ Querystring: { numero?: unknown } }>(
    PATH,
    options,
    async ({ query: { numero } }, reply) => {
      reply.headers(PRIVATE_HEADERS)
      if (numero === undefined) return sendPage(reply, 200, FORM)
      const typed = typeof numero === 'string' ? numero.slice(0, MAX_TYPED_LENGTH) : ''
      const number = readTypedNumber(typed)
      if (!number) return sendPage(reply, 422, formPage({ typed, error: 'malformed' }))
      if (!(await findConfirmedRun(db, number)))
        return sendPage(reply, 404, formPage({ typed, error: 'unknown' }))
      return reply.redirect(`${PATH}/${formatCertificateNumber(number)}`, 303)
    },
  )

  const config = { access: 'link', limits: 'report' } as const
  app.get<{ Params: { number: string } }>(
    `${PATH}/:number`,
    { ...options, config },
    async (request, reply) => {
      reply.headers(PRIVATE_HEADERS)
      const number = parseCertificateNumber(request.params.number)
      const confirmed = number && (await findConfirmedRun(db, number))
      if (!number || !confirmed) return sendMessage(request, reply, 404, MISSING_DOCUMENT_PAGE)
      return sendPage(reply, 200, confirmationPage(number, confirmed))
    },
  )
}
