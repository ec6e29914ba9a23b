import { PLAYER_PALETTE, resolveColors } from '#domain/colors.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { TRAP_NAME } from '#domain/suspicion.ts'
import { visitorSnapshot } from '#domain/visitor-snapshot.ts'
import {
  renderEnding,
  renderFirstPage,
  renderRun,
  type ServedEnding,
  type ServedQuiz,
  type ServedRun,
} from './form-page.tsx'
import { paletteProperties } from './palette.ts'
import { FORM_ID, PLAYER_ID, TAKEN_QUIZ_ID } from './taken-quiz.ts'

/** A page's own style and body. */
type Rendered = { style: string; body: string }

/**
 * The page's first field, which programs fill in and nobody sees, hears or reaches. Not hidden in a way
 * that programs know of.
 */
const TRAP = `<input class=q-said name=${TRAP_NAME} form=${FORM_ID} autocomplete=off inert aria-hidden=true>`

const withStyle = ({ snapshot, is_embedded }: ServedQuiz, markup: string): Rendered => {
  const properties = paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE))
  const declarations = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  return {
    style: [
      `html{background:${properties['--q-bg']}}body{margin:0}.q,.q-legal{${declarations.join(';')}}`,
      // In a frame the page is as high as what it holds: the frame follows.
      is_embedded
        ? '.q .q-sheet{padding:1.5rem 0 1rem}'
        : `body{display:flex;flex-direction:column;min-height:100dvh}#${PLAYER_ID}{display:grid;flex:1}`,
    ].join(''),
    body: `<main id="${PLAYER_ID}">${markup}</main>${legalFooter(snapshot, is_embedded)}`,
  }
}

/** Whether a page asks who its visitor is. */
const asksForPerson = ({ questions }: Snapshot): boolean =>
  questions.some(({ type }) => type === 'email' || type === 'phone')

/** Who answers for what is asked (RGPD art. 13), and the pages that say the rest. From a frame, they open beside it. */
const legalFooter = (snapshot: Snapshot, is_embedded: boolean): string => {
  const target = is_embedded ? ' target=_blank' : ''
  const link = (path: string, text: string): string => `<a href=/${path}${target}>${text}</a>`
  const notice = asksForPerson(snapshot)
    ? 'L’auteur de ce questionnaire reçoit vos réponses et en est responsable. '
    : ''
  return `<footer class=q-legal>${notice}${link('confidentialite', 'Confidentialité')} ${link('accessibilite', 'Accessibilité')} ${link('mentions-legales', 'Mentions légales')}</footer>`
}

/** The public page of a quiz: its first page ready to be read, and what its script needs. */
export const renderTakenQuiz = (quiz: ServedQuiz): Rendered => {
  const { quiz_id, version, snapshot } = quiz
  const { style, body } = withStyle(quiz, renderFirstPage(quiz))
  // An element of a script ends at `</script`, wherever that stands.
  const shown = visitorSnapshot(snapshot)
  const json = JSON.stringify({ quiz_id, version, snapshot: shown }, leaveOut(shown))
  const data = json.replaceAll('<', '\\u003c')
  return {
    style,
    body: `${TRAP}${body}<script type="application/json" id="${TAKEN_QUIZ_ID}">${data}</script>`,
  }
}

/** Pages that the server writes one by one refuse in words, and have no control that a script moves. */
const SERVED_STYLE = [
  '.q .q-alert{margin-bottom:1.5rem;padding:.75rem 1rem;border:2px solid var(--q-ink);border-radius:8px}',
  '.q .q-footer{display:none}',
].join('')

const served = ({ style, body }: Rendered): Rendered => ({ style: style + SERVED_STYLE, body })

/** A page of a run without scripts; `is_refused` when it is not the page that was asked for. */
export const renderServedRun = (
  quiz: ServedQuiz,
  run: ServedRun,
): Rendered & { is_refused: boolean; reached_step: number } => {
  const { body, ...outcome } = renderRun(quiz, run)
  return { ...served(withStyle(quiz, body)), ...outcome }
}

/** What a run without scripts ends on. */
export const renderServedEnding = (quiz: ServedQuiz, ending: ServedEnding): Rendered =>
  served(withStyle(quiz, renderEnding(quiz, ending)))

/** What the player never reads: ranks in lists that are in order, colours that the style has, what is not there. */
const leaveOut =
  ({ quiz_mode }: Snapshot) =>
  (key: string, value: unknown): unknown => {
    const isUnread =
      /^(position|status|\w+_color)$/.test(key) ||
      (key === 'associations' && quiz_mode !== 'profils')
    return value === null || isUnread ? undefined : value
  }
