import { momentInWords } from '#domain/common/date-words.ts'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { CONFIRMATION_DAYS } from '#domain/confirmations/confirmation.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { messageStyleOf } from '#server/public-quiz/message-page.ts'
import type { ConfirmationRequest } from './confirmations.store.ts'

const STYLE = [
  'main p{margin:0 0 1rem}blockquote{margin:0 0 1.5rem;padding:.75rem 1rem;text-align:start;',
  'border-inline-start:3px solid;opacity:.85}button{min-height:2.75rem;padding:.5rem 1.5rem;',
  'border:0;border-radius:.5rem;background:#0a5bc4;color:#fff;font:inherit;font-weight:600}',
  ':focus-visible{outline:2px solid;outline-offset:2px}',
].join('')

/** Content of the page of a link: the request, and the quiz of the version that the participant took. */
type ConfirmationView = { request: ConfirmationRequest; quiz: Snapshot['quiz'] }

const pageOf = (
  { quiz }: ConfirmationView,
  title: string,
  { texts, more = '' }: { texts: string[]; more?: string },
): HtmlPage => {
  const paragraphs = texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
  return writeHtmlPage({
    title: `${title} – ${quiz.name}`,
    style: messageStyleOf(quiz) + STYLE,
    body: tiePunctuation(`<main><h1>${escapeHtml(title)}</h1>${paragraphs}${more}</main>`),
  })
}

/** Writes the page that asks the participant to press the button. */
const askingPage = (view: ConfirmationView): HtmlPage => {
  const { request, quiz } = view
  const say = (text: string): string => wordingOf(quiz, text)
  const consent =
    request.consent_text === null
      ? ''
      : `<p>${say('Vous avez accepté :')}</p><blockquote dir="auto">${escapeHtml(request.consent_text)}</blockquote>`
  return pageOf(view, say('Encore un appui pour confirmer votre adresse'), {
    texts: [
      `${say('Vous avez répondu à')} « ${quiz.name} » et laissé cette adresse : ${request.email}.`,
      say('Après la confirmation, l’auteur de ce questionnaire pourra vous écrire.'),
    ],
    // The form posts to the address of the page, which contains the token.
    more: `${consent}<form method="post"><button>Confirmer mon adresse</button></form>`,
  })
}

/** Writes the page after the press of the button. */
export const confirmedPage = (view: ConfirmationView): HtmlPage => {
  const { request, quiz } = view
  const say = (text: string): string => wordingOf(quiz, text)
  return pageOf(view, 'Adresse confirmée', {
    texts: [
      `Merci ! ${request.email} ${say('est bien votre adresse.')}`,
      ...(request.is_mailed ? [say('Votre résultat part par email.')] : []),
      say('Vous pouvez fermer cette page.'),
    ],
  })
}

/** Writes the page of a link, by the state of its request. The status is 410 for a request that has ended. */
export const confirmationPage = (view: ConfirmationView): { status: number; page: HtmlPage } => {
  const { request, quiz } = view
  const say = (text: string): string => wordingOf(quiz, text)
  if (request.is_withdrawn)
    return {
      status: 410,
      page: pageOf(view, 'Accord retiré', {
        texts: [
          say(
            'Vous avez retiré votre accord : votre adresse n’est plus transmise. Il n’y a rien à confirmer.',
          ),
        ],
      }),
    }
  if (request.confirmed_at !== null)
    return {
      status: 200,
      page: pageOf(view, 'Adresse déjà confirmée', {
        texts: [
          `${say('Votre adresse a été confirmée le')} ${momentInWords(request.confirmed_at, request.time_zone)}. Il n’y a rien d’autre à faire.`,
        ],
      }),
    }
  if (request.state === 'expired')
    return {
      status: 410,
      page: pageOf(view, 'Ce lien n’est plus valable', {
        texts: [
          `Il l’était pendant ${CONFIRMATION_DAYS} jours. ${say('Votre adresse n’a pas été confirmée : elle n’a été transmise à aucun outil.')}`,
          say('Pour recevoir un nouveau lien, répondez à nouveau au questionnaire.'),
        ],
      }),
    }
  return { status: 200, page: askingPage(view) }
}
