import './all-parts.ts'
import './bundles/phone-reading.ts'
import { PLAYER_PALETTE, resolveColors } from '#domain/questionnaire/look/colors.ts'
import { fallbackFontStack, fontFaces, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { imagePlaceholder, pictureBackground } from '#domain/questionnaire/look/overlay.ts'
import { groupIntoPages, hasWelcome } from '#domain/questionnaire/pages.ts'
import type { SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { packIds } from '#domain/run/public-page/packed-ids.ts'
import { type PageNeeds, pageNeedsOf } from '#domain/run/public-page/page-needs.ts'
import { publicSnapshot } from '#domain/run/public-page/public-snapshot.ts'
import {
  createSnapshotReplacer,
  visitorSnapshot,
} from '#domain/run/public-page/visitor-snapshot.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { HONEYPOT_FIELD } from '#domain/run/spam-signals.ts'
import { runPathSegment } from '#domain/run/trial-runs.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { renderEnding, type ServedEnding } from './page/noscript-ending.tsx'
import {
  renderEnterGuard,
  renderFirstPage,
  renderRun,
  type ServedQuiz,
  type ServedRun,
} from './page/noscript-page.tsx'
import { OWN_PAGE_STYLE, renderOwnPage, type ServedOwnPage } from './page/own-page.tsx'
import { paletteProperties } from './page/palette.ts'
import { FORM_ID, PLAYER_DATA_ID, PLAYER_ID, type PlayerData } from './page/player-data.ts'
import { FRAMED_GRIDS_STYLE, styleOf, WHOLE_STYLE } from './styles.ts'

/** Header of every page of a trial run, in the same colours whatever the quiz's colours. */
export const TRIAL_HEADER =
  '<header class=q-test>Mode test\u00a0: vos réponses ne sont ni comptées ni envoyées.</header>'

/** Returns the link to the trial's deliveries, shown below the end. The link works without a script. */
export const trialFooter = (quiz_id: string): string =>
  `<aside class="q-test q-sent" aria-label="Mode test"><a href=/quiz/${quiz_id}/essais target=_blank rel=noopener>Voir ce qui aurait été envoyé</a></aside>`

/** Style of the header and the footer of a trial run. */
export const TRIAL_STYLE = [
  '.q-test{padding:.75rem 1rem;background:#3b2a00;color:#ffe9a8;text-align:center;font:1rem/1.5 system-ui,sans-serif}',
  '.q-test a{color:inherit}',
  // Keeps the header visible when a new page scrolls to its title.
  '.q-title{scroll-margin-top:50vh}',
  'main:not(:has(.q-ending))+.q-sent{display:none}',
].join('')

/** Viewport width in pixels from which the background uses its largest file. */
const WIDE_SCREEN_PX = 1_600

/** The style and the body of a page. */
type RenderedPage = { style: string; body: string }

/**
 * The honeypot: a first field that bots fill in and that people cannot see, hear or focus. The field is hidden in a
 * way that bots do not detect.
 */
const HONEYPOT = `<input class=q-said name=${HONEYPOT_FIELD} form=${FORM_ID} autocomplete=off inert aria-hidden=true>`

const withStyle = (quiz: ServedQuiz, markup: string, css = WHOLE_STYLE): RenderedPage => {
  const { quiz_id, snapshot, is_embedded } = quiz
  const is_test = quiz.test_token !== undefined
  const properties = paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE), snapshot.quiz)
  const declarations = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  return {
    style: [
      css,
      isFamily(snapshot.quiz.font) ? fontFaces(snapshot.quiz.font) : '',
      `html{background:${properties['--q-bg']}}body{margin:0}.q,.q-legal{${declarations.join(';')}}`,
      // In a frame the page is as high as its content, because the frame is resized to that height.
      is_embedded
        ? `.q .q-sheet{padding:1.5rem 0 1rem}${css.includes('.q-wide') ? FRAMED_GRIDS_STYLE : ''}`
        : `body{display:flex;flex-direction:column;min-height:100dvh}#${PLAYER_ID}{display:grid;flex:1}`,
      pageBackground(snapshot, properties['--q-page']),
      firstFrame(snapshot),
      is_test ? TRIAL_STYLE : '',
    ].join(''),
    body: [
      is_test ? TRIAL_HEADER : '',
      `<main id="${PLAYER_ID}">${markup}</main>`,
      is_test ? trialFooter(quiz_id) : '',
      legalFooter(snapshot, is_embedded),
    ].join(''),
  }
}

/**
 * Returns the style of the background picture, which covers the whole viewport. Print, stronger contrast and forced
 * colours hide the picture.
 */
const pageBackground = ({ quiz }: RichSnapshot, small: string | undefined): string => {
  const { background_image_id: id } = quiz
  if (!small || !id) return ''
  const { bg_color: background, text_color: text } = resolveColors(quiz, PLAYER_PALETTE)
  const large = pictureBackground(id, { background, text }, WIDE_SCREEN_PX) ?? small
  return [
    `#${PLAYER_ID}::before{content:"";position:fixed;z-index:-1;inset:0;background:var(--q-first-page,${small})}.q{background:none}`,
    large === small
      ? ''
      : `@media(width>50rem){#${PLAYER_ID}::before{background:var(--q-first-page,${large})}}`,
    `@media print,(prefers-contrast:more),(forced-colors:active){#${PLAYER_ID}::before{display:none}}`,
  ].join('')
}

/**
 * Returns a style whose first frame shows the stand-ins of the font and of the background picture, so that the text
 * waits for no file. An animation shows the real files from the second frame on, without a script. The animated
 * properties are inherited, because browsers load a picture that an element's own animation replaces.
 */
const firstFrame = ({ quiz }: RichSnapshot): string => {
  const { font, background_image_id: id } = quiz
  const { bg_color: background, text_color: text } = resolveColors(quiz, PLAYER_PALETTE)
  const page = id && imagePlaceholder(id, { background, text })
  const held = [
    isFamily(font) ? `--q-first-font:${fallbackFontStack(font)}` : '',
    page ? `--q-first-page:${page}` : '',
  ].filter(Boolean)
  if (held.length === 0) return ''
  return [
    `#${PLAYER_ID},.q-legal{animation:q-first 0s 1ms backwards}@keyframes q-first{from{${held.join(';')}}}`,
    isFamily(font) ? '.q,.q-legal{font-family:var(--q-first-font,var(--q-font))}' : '',
  ].join('')
}

/** Returns true if a page asks for an email address or a phone number. */
const asksForPerson = ({ questions }: RichSnapshot): boolean =>
  questions.some(({ type }) => type === 'email' || type === 'phone')

/**
 * Returns the footer: who is responsible for the answers (RGPD art. 13), and links to the legal pages. In a frame the
 * links open a new tab.
 */
const legalFooter = (snapshot: RichSnapshot, is_embedded: boolean): string => {
  const target = is_embedded ? ' target=_blank' : ''
  const link = (path: string, text: string): string => `<a href=/${path}${target}>${text}</a>`
  const notice = asksForPerson(snapshot)
    ? `${wordingOf(snapshot.quiz, 'L’auteur de ce questionnaire reçoit vos réponses et en est responsable.')} `
    : ''
  return `<footer class=q-legal>${notice}${link('confidentialite', 'Confidentialité')} ${link('accessibilite', 'Accessibilité')} ${link('mentions-legales', 'Mentions légales')}</footer>`
}

/** Renders the public page of a quiz: the markup of its first page, and the data for its script. */
export const renderPublicPage = (read: ServedQuiz): RenderedPage & { needs: PageNeeds } => {
  const quiz = { ...read, snapshot: publicSnapshot(read.snapshot) }
  const { version, snapshot, test_token } = quiz
  const needs = pageNeedsOf(snapshot)
  const { style, body } = withStyle(quiz, renderFirstPage(quiz), styleOf(needs))
  // `<` is escaped in the JSON below, because `</script` ends a script element even inside a string.
  const shown = visitorSnapshot(snapshot)
  const [page] = hasWelcome(snapshot.quiz) ? [] : groupIntoPages(snapshot)
  const { questions, ids } = packIds(
    shown.questions,
    ({ page_number }) => page_number === page?.number,
  )
  const player_data: Record<keyof PlayerData, unknown> = {
    quiz_id: runPathSegment(quiz),
    version,
    snapshot: { ...shown, questions },
    ids,
    is_test: test_token === undefined ? undefined : true,
  }
  const json = JSON.stringify(player_data, createSnapshotReplacer(shown))
  const data = json.replaceAll('<', '\\u003c')
  return {
    style,
    needs,
    body: `${HONEYPOT}${renderEnterGuard(quiz)}${body}<script type="application/json" id="${PLAYER_DATA_ID}">${data}</script>`,
  }
}

/** Style of pages without scripts: shows the reason of a refusal, and hides the controls that need a script. */
const SERVED_STYLE = [
  '.q .q-alert{margin-bottom:1.5rem;padding:.75rem 1rem;border:2px solid var(--q-ink);border-radius:var(--q-corner,8px)}',
  '.q .q-footer{display:none}',
].join('')

const withServedStyle = ({ style, body }: RenderedPage): RenderedPage => ({
  style: style + SERVED_STYLE,
  body,
})

/**
 * Renders one page of a run without scripts. `is_refused` is true when the run could not go to the requested page.
 */
export const renderServedRun = (
  quiz: ServedQuiz,
  run: ServedRun,
): RenderedPage & { is_refused: boolean; new_steps: number[] } => {
  const { body, ...outcome } = renderRun(quiz, run)
  return { ...withServedStyle(withStyle(quiz, body)), ...outcome }
}

/** Renders the end of a run without scripts. */
export const renderServedEnding = (
  quiz: ServedQuiz,
  { result, ...ending }: Omit<ServedEnding, 'result'> & { result: SnapshotResult | null },
): RenderedPage => {
  const read = quiz.snapshot.results.find(({ id }) => id === result?.id) ?? null
  return withServedStyle(withStyle(quiz, renderEnding(quiz, { ...ending, result: read })))
}

/** Renders the page of a participant: the end page of the version taken, and the forms for the participant's rights. */
export const renderParticipantPage = (
  quiz: ServedQuiz,
  { result, ...page }: Omit<ServedOwnPage, 'result'> & { result: SnapshotResult | null },
): RenderedPage => {
  const read = quiz.snapshot.results.find(({ id }) => id === result?.id) ?? null
  const { style, body } = withServedStyle(
    withStyle(quiz, renderOwnPage(quiz, { ...page, result: read })),
  )
  return { style: style + OWN_PAGE_STYLE, body }
}
