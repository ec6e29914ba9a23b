import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { closedText } from '#domain/questionnaire/access.ts'
import { PLAYER_PALETTE, parseHexColor, resolveColors } from '#domain/questionnaire/look/colors.ts'
import { fontFaces, fontStack, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { pictureBackground } from '#domain/questionnaire/look/overlay.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { type Opening, openingText } from '#server/published-versions/opening.ts'

const STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#fff;color:#37352f;',
  'font:1.0625rem/1.5 system-ui,sans-serif;text-align:center}',
  'main{padding:2rem 1rem;max-width:40rem;overflow-wrap:anywhere}',
  'h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0;white-space:pre-line}',
].join('')

/** Message page in two forms: for its own tab and for a frame of another site. */
export type Message = { page: HtmlPage; framed: HtmlPage }

/** Writes a message page. Search engines do not index such pages. */
const messagePage = (title: string, text: string, theme = ''): Message => {
  const parts = {
    title,
    style: STYLE + theme,
    body: tiePunctuation(`<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`),
  }
  return {
    page: writeHtmlPage(parts),
    framed: writeHtmlPage({ ...parts, may_be_framed: true }),
  }
}

/** Writes the page of a closed quiz, with its name and theme. */
export const closedPage = ({ quiz }: Snapshot, text: string | null): Message =>
  messagePage(quiz.name, closedText(text), themeOf(quiz))

/** Returns the style of a message page with the theme of its quiz. */
export const messageStyleOf = (quiz: Snapshot['quiz']): string => STYLE + themeOf(quiz)

/** Creates the page of a quiz that opens later, with the name and theme of the quiz. */
export const unopenedPage = ({ quiz }: Snapshot, opening: Opening): Message =>
  messagePage(quiz.name, openingText(opening), themeOf(quiz))

/** Returns the style that a message page takes from its quiz. */
const themeOf = (quiz: Snapshot['quiz']): string => {
  const { bg_color, text_color } = resolveColors(quiz, PLAYER_PALETTE)
  const [background, text] = [parseHexColor(bg_color), parseHexColor(text_color)]
  if (!background || !text) return ''
  const { font, background_image_id: image } = quiz
  const picture = image && pictureBackground(image, { background, text })
  return [
    isFamily(font) ? `${fontFaces(font)}body{font-family:${fontStack(font)}}` : '',
    `html{background:${background}}body{background:${picture || background};color:${text}}`,
  ].join('')
}

/** Page of an address without a quiz (product 8.2). */
export const MISSING_PAGE = messagePage(
  'Quiz introuvable',
  "Ce quiz n'existe pas ou n'est plus disponible.",
)
/** Writes the page of a quiz that is not published, with the theme of the withdrawn version if there is one. */
export const unpublishedPage = (withdrawn?: Snapshot): Message =>
  messagePage(
    'Quiz non disponible',
    "Ce quiz n'est pas encore publié.",
    withdrawn && themeOf(withdrawn.quiz),
  )
/** Page of a missing document. Its text is the same for a forged link and for an erased participant. */
export const MISSING_DOCUMENT_PAGE = messagePage(
  'Document introuvable',
  'Ce document n’existe pas ou n’est plus disponible.',
)
/** Page of a report address of an earlier release that also opened the certificate. */
export const REPLACED_REPORT_PAGE = messagePage(
  'Ce lien ne mène plus au rapport',
  'Pour protéger vos réponses, les liens vers les rapports ont changé. Votre rapport existe toujours : ouvrez « Ma page » si vous en avez reçu l’adresse, ou demandez un nouveau lien à l’auteur du questionnaire. Le lien de votre attestation reste valable.',
)
/** Page for an invalid token of a participant's page, and for other unknown addresses. Does not tell the reason. */
export const MISSING_VISITOR_PAGE = messagePage(
  'Page introuvable',
  'Cette page n’existe pas ou n’est plus disponible.',
)
/** Page of a document that cannot be written now. */
export const BUSY_REPORTS_PAGE = messagePage(
  'Document en préparation',
  'Beaucoup de documents sont demandés en ce moment. Réessayez dans quelques instants.',
)
/** Page of a certificate whose name no font can write. */
export const UNDRAWABLE_NAME_PAGE = messagePage(
  'Attestation non créée',
  'Les polices de ce site ne savent pas écrire ce nom en entier. L’auteur du questionnaire peut donner l’attestation.',
)
/** Page of a link that no invitation has, or whose person was removed from the campaign. */
export const MISSING_INVITATION_PAGE = messagePage(
  'Ce lien n’est pas valable',
  'Cette invitation n’existe pas ou n’est plus valable. Le lien de l’email doit être ouvert en entier ; l’auteur du questionnaire peut en donner un autre.',
)
/** Page of an invitation whose reply is stored. */
export const REPLIED_PAGE = messagePage(
  'Merci, la réponse est enregistrée',
  'Une réponse a déjà été envoyée avec ce lien. Chaque personne invitée répond une fois.',
)
/** Page of an invitation whose campaign has ended. */
export const ENDED_CAMPAIGN_PAGE = messagePage(
  'Cette campagne est terminée',
  'Il n’est plus possible de répondre avec ce lien.',
)
/** Page of a 503. */
export const UNAVAILABLE_PAGE = messagePage(
  'Service momentanément indisponible',
  'Réessayez dans quelques instants.',
)
/** Page of an unexpected error. */
export const FAILED_PAGE = messagePage(
  'Une erreur est survenue',
  'Réessayez dans quelques instants.',
)
/** Page of a 429. */
export const TOO_MANY_PAGE = messagePage('Trop de requêtes', 'Réessayez dans quelques instants.')
/** Page of a refused submission. */
export const REFUSED_PAGE = messagePage(
  'Réponses refusées',
  'Revenez au questionnaire et recommencez.',
)
/** Page of a 413. */
export const TOO_LARGE_PAGE = messagePage(
  'Page trop grande',
  'Cette page est trop grande pour être affichée sans JavaScript. Activez-le, ou revenez en arrière et raccourcissez vos réponses.',
)
/** Page of an invalid trial link, so that the visit never becomes a counted run. */
export const NO_TEST_PAGE = messagePage(
  'Lien de test non valable',
  'Ce lien a expiré ou n’est pas complet. Dans Quizaine, ouvrez à nouveau le quiz avec « Répondre en test ».',
)
