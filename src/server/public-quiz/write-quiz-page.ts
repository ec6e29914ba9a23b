import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { quizNoun } from '#domain/questionnaire/quiz.ts'
import { resultAt, type Snapshot } from '#domain/questionnaire/snapshot.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { type HtmlPage, type MetaTag, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { IMAGE_SIZE, sharedTitle } from '#server/social-image/draw-quiz.ts'
import type { RenderedPage, RenderedQuiz } from '#server/version-tasks/render-page.ts'
import { oembedAddress } from './oembed.routes.ts'
import { type PlayerBuild, type ServedVersion, tooLargePage } from './player-build.ts'

/** Returns the path of the picture of a version. */
const imagePath = ({ quiz_id, version }: ServedVersion, rank: number | undefined): string =>
  `/q/${quiz_id}/image-${version}${rank === undefined ? '' : `-r${rank}`}.png`

const descriptionOf = ({ quiz, questions }: Snapshot): string => {
  const count = `${questions.length} question${questions.length > 1 ? 's' : ''}`
  return `${wordingOf(quiz, 'Répondez au')} ${quizNoun(quiz)} « ${quiz.name} » : ${count}.`
}

/** Returns the meta tags for search engines and social networks. */
const metasOf = (
  pageInput: ServedVersion,
  url: string,
  public_url: string,
  rank: number | undefined,
): MetaTag[] => {
  const { snapshot } = pageInput
  const result = resultAt(snapshot, rank)
  const name = tiePunctuation(result ? sharedTitle(snapshot.quiz, result) : snapshot.quiz.name)
  const description = tiePunctuation(descriptionOf(snapshot))
  const image = new URL(imagePath(pageInput, rank), public_url).href
  return [
    ['description', description],
    ['og:type', 'website'],
    ['og:site_name', 'Quizaine'],
    ['og:locale', 'fr_FR'],
    ['og:title', name],
    ['og:description', description],
    // Social networks read the card at `og:url`, so the address must name the result.
    ['og:url', result ? `${url}?r=${rank}` : url],
    ['og:image', image],
    ['og:image:type', 'image/png'],
    ['og:image:width', String(IMAGE_SIZE.width)],
    ['og:image:height', String(IMAGE_SIZE.height)],
    ['og:image:alt', name],
    ['twitter:card', 'summary_large_image'],
    ['twitter:image', image],
  ]
}

type PageAddresses = {
  url: string
  public_url: string
  rank?: number | undefined
  /** True for the open page of prefilled links, with the script that reads their replies. */
  is_prefilled?: boolean | undefined
}

/**
 * Writes the public page of a version at `url`. A `rank` adds the social card of that result. Pages for frames, trial
 * runs and invited people are not indexed.
 */
export const writeQuizPage = (
  pageInput: ServedVersion,
  build: PlayerBuild,
  { style, body, needs }: RenderedQuiz,
  { url, public_url, rank, is_prefilled }: PageAddresses,
): HtmlPage => {
  const { player, prefilled, invited, texts, options, formats, variants, grids, framed } =
    build.scripts
  const { phones, wording, auto_advance } = build.scripts
  const openScript = is_prefilled ? prefilled : player
  const joined = [
    pageInput.invitation_token === undefined ? openScript : invited,
    needs.texts ? texts : '',
    needs.options ? options : '',
    needs.formats ? formats : '',
    needs.phones ? phones : '',
    needs.variants ? variants : '',
    needs.grids ? grids : '',
    needs.wording ? wording : '',
    needs.auto_advance ? auto_advance : '',
  ]
  const { is_embedded, test_token, invitation_token } = pageInput
  const isPublic = test_token === undefined && invitation_token === undefined
  const is_left_out = is_embedded || !isPublic
  return writeHtmlPage({
    title: pageInput.snapshot.quiz.name,
    metas: is_left_out ? undefined : metasOf(pageInput, url, public_url, rank),
    // The canonical address would make browsers share the quiz instead of the run of one person.
    ...(isPublic && { canonical_url: url }),
    ...(!is_left_out && { oembed_url: oembedAddress(url) }),
    style,
    body,
    scripts: [joined.join(''), ...(pageInput.is_embedded ? [framed] : [])],
    loads_scripts: true,
    may_be_framed: pageInput.is_embedded,
    own_origin: pageInput.is_embedded ? new URL(public_url).origin : undefined,
    is_open: is_prefilled,
  })
}

/** Maximum size of a page for one visitor, because texts can repeat long replies. */
const MAX_SERVED_PAGE_BYTES = 1_048_576

/** Writes a page of a run without JavaScript for one visitor. Throws a 413 if it exceeds 1 MiB. */
export const writeNoscriptPage = (
  { snapshot, is_embedded }: ServedVersion,
  { style, body }: RenderedPage,
  leads_to?: { url: string; seconds: number },
): HtmlPage => {
  const page = writeHtmlPage({
    title: snapshot.quiz.name,
    leads_to,
    style,
    body,
    may_be_framed: is_embedded,
  })
  if (Buffer.byteLength(page.html) > MAX_SERVED_PAGE_BYTES) throw tooLargePage()
  return page
}
