import { closedText } from '#domain/questionnaire/access.ts'
import { PLAYER_PALETTE, parseHexColor, resolveColors } from '#domain/questionnaire/colors.ts'
import { fontFaces, fontStack, isFamily } from '#domain/questionnaire/fonts.ts'
import { pictureBackground } from '#domain/questionnaire/overlay.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { escapeHtml, type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'

const STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:#fff;color:#37352f;',
  'font:1.0625rem/1.5 system-ui,sans-serif;text-align:center}',
  'main{padding:2rem 1rem;max-width:40rem;overflow-wrap:anywhere}',
  'h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:0;white-space:pre-line}',
].join('')

/** A message page, by itself and for a frame of another site. */
export type Message = { page: HtmlPage; framed: HtmlPage }

/** Writes a message page, which search engines do not index. */
const messagePage = (title: string, text: string, theme = ''): Message => {
  const parts = {
    title,
    style: STYLE + theme,
    body: `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`,
  }
  return {
    page: writeHtmlPage(parts),
    framed: writeHtmlPage({ ...parts, may_be_framed: true }),
  }
}

/** What a closed quiz says, under its name and in its look. */
export const closedPage = ({ quiz }: Snapshot, text: string | null): Message =>
  messagePage(quiz.name, closedText(text), themeOf(quiz))

/** What a message takes over from the look of its quiz. */
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

/** Spec §2 « Public quiz page ». */
export const MISSING_PAGE = messagePage(
  'Quiz introuvable',
  "Ce quiz n'existe pas ou n'est plus disponible.",
)
/** The same of a quiz that is not published, in the look of the version that was withdrawn, where there was one. */
export const unpublishedPage = (withdrawn?: Snapshot): Message =>
  messagePage(
    'Quiz non disponible',
    "Ce quiz n'est pas encore publié.",
    withdrawn && themeOf(withdrawn.quiz),
  )
export const UNAVAILABLE_PAGE = messagePage(
  'Service momentanément indisponible',
  'Réessayez dans quelques instants.',
)
export const FAILED_PAGE = messagePage(
  'Une erreur est survenue',
  'Réessayez dans quelques instants.',
)
export const TOO_MANY_PAGE = messagePage('Trop de requêtes', 'Réessayez dans quelques instants.')
export const REFUSED_PAGE = messagePage(
  'Réponses refusées',
  'Revenez au questionnaire et recommencez.',
)
export const TOO_LARGE_PAGE = messagePage(
  'Page trop grande',
  'Cette page est trop grande pour être affichée sans JavaScript. Activez-le, ou revenez en arrière et raccourcissez vos réponses.',
)
/** Of an address that asks for a test and may not: it never becomes a run that counts. */
export const NO_TEST_PAGE = messagePage(
  'Lien de test non valable',
  'Ce lien a expiré ou n’est pas complet. Dans Quizaine, ouvrez à nouveau le quiz avec « Répondre en test ».',
)
