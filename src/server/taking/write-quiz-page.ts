import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { type HtmlPage, type Meta, writeHtmlPage } from '#server/http/html-page.ts'
import { IMAGE_SIZE } from '#server/social-image/draw-quiz.ts'
import type { PlayerBuild, Rendered, TakenQuiz } from './player-build.ts'

/** Where the picture of a version is; it never changes. */
const imagePath = ({ quiz_id, version }: Pick<TakenQuiz, 'quiz_id' | 'version'>): string =>
  `/q/${quiz_id}/image-${version}.png`

const descriptionOf = ({ quiz, questions }: Snapshot): string => {
  const count = `${questions.length} question${questions.length > 1 ? 's' : ''}`
  return `Répondez au ${isSondage(quiz) ? 'sondage' : 'quiz'} « ${quiz.name} » : ${count}.`
}

/** What search engines and social networks show of a quiz. */
const metasOf = (taken: TakenQuiz, url: string, public_url: string): Meta[] => {
  const { snapshot } = taken
  const { name } = snapshot.quiz
  const description = descriptionOf(snapshot)
  const image = new URL(imagePath(taken), public_url).href
  return [
    ['description', description],
    ['og:type', 'website'],
    ['og:site_name', 'Quizaine'],
    ['og:locale', 'fr_FR'],
    ['og:title', name],
    ['og:description', description],
    ['og:url', url],
    ['og:image', image],
    ['og:image:type', 'image/png'],
    ['og:image:width', String(IMAGE_SIZE.width)],
    ['og:image:height', String(IMAGE_SIZE.height)],
    ['og:image:alt', name],
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', name],
    ['twitter:description', description],
    ['twitter:image', image],
  ]
}

/** The public page of a version at `url`, or its form for a frame of another site, which engines leave out. */
export const writeQuizPage = (
  taken: TakenQuiz,
  build: PlayerBuild,
  { url, public_url }: { url: string; public_url: string },
): HtmlPage => {
  const { style, body } = build.renderTakenQuiz(taken)
  return writeHtmlPage({
    title: taken.snapshot.quiz.name,
    metas: taken.is_embedded ? undefined : metasOf(taken, url, public_url),
    canonical_url: url,
    style: build.css + style,
    body,
    scripts: taken.is_embedded ? [build.script, build.framed] : [build.script],
    may_be_framed: taken.is_embedded,
  })
}

/** A page of a run without scripts; it is one visitor's own. */
export const writeServedPage = (
  { snapshot, is_embedded }: TakenQuiz,
  build: PlayerBuild,
  { style, body }: Rendered,
): HtmlPage =>
  writeHtmlPage({
    title: snapshot.quiz.name,
    style: build.css + style,
    body,
    may_be_framed: is_embedded,
  })
