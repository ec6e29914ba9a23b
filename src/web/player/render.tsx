import { renderToString } from 'react-dom/server'
import { PLAYER_PALETTE, resolveColors } from '#domain/colors.ts'
import { PUBLIC_RULES } from '#domain/scoring.ts'
import { paletteProperties } from './palette.ts'
import { QuizPlayer } from './quiz-player.tsx'
import { PLAYER_ID, TAKEN_QUIZ_ID, type TakenQuiz } from './taken-quiz.ts'

const NO_SCRIPT = 'Activez JavaScript pour répondre.'

/**
 * The page's first field, which programs fill in and nobody sees, hears or reaches. Not hidden in a way
 * that programs know of.
 */
const TRAP = '<input class=q-said name=url autocomplete=off inert>'

/** The public page's own part of a quiz, as the server writes it: the first page, ready to read. */
export const renderTakenQuiz = (taken: TakenQuiz): { style: string; body: string } => {
  const { snapshot } = taken
  const properties = paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE))
  const declarations = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  const player = renderToString(<QuizPlayer snapshot={snapshot} rules={PUBLIC_RULES} />)
  // An element of a script ends at `</script`, wherever that stands.
  const json = JSON.stringify(taken, leaveOut).replaceAll('<', '\\u003c')
  return {
    style: [
      `html{background:${properties['--q-bg']}}body{margin:0}`,
      `#${PLAYER_ID}{display:grid;min-height:100dvh}.q{${declarations.join(';')}}`,
    ].join(''),
    body: [
      `<noscript><div class="q"><p class="q-sheet">${NO_SCRIPT}</p></div></noscript>`,
      TRAP,
      `<main id="${PLAYER_ID}">${player}</main>`,
      `<script type="application/json" id="${TAKEN_QUIZ_ID}">${json}</script>`,
    ].join(''),
  }
}

/** What the player never reads: ranks in lists that are in order, colours that the style has, nulls. */
const leaveOut = (key: string, value: unknown): unknown =>
  value === null || /^(position|status|\w+_color)$/.test(key) ? undefined : value
