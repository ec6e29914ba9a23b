import { readFile } from 'node:fs/promises'
import type { PageState } from '#domain/participant-pages/page-state.ts'
import {
  MAX_QUESTIONNAIRE_SIZE,
  questionnaireSize,
} from '#domain/questionnaire/questionnaire-size.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import type { PageNeeds } from '#domain/run/page-needs.ts'
import type { VisitedSteps } from '#domain/run/path.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'

/** Version of a quiz, and the kind of page to render for it. */
export type ServedVersion = {
  quiz_id: string
  version: number
  snapshot: Snapshot
  /** True for a page in a frame of another site. */
  is_embedded: boolean
  /** Token of a trial run (domain/run/trial-runs.ts). */
  test_token?: string | undefined
}

/** State of a run without scripts. */
export type ServedRun = {
  replies: Replies
  participant_uuid: string
  /** Secret of the run (docs/decisions/070). */
  run_secret: string
  page_index: number
  is_trapped: boolean
  refusal?: string
  /** Query string of the address where the visit began. */
  parameters: string
  /** Steps already counted for this visit; empty at the beginning. */
  counted: VisitedSteps
  /** Numbers of the pages whose corrections were shown, the present page included if it shows them. */
  corrected: readonly number[]
}

/** Style and body of a rendered page. */
export type RenderedPage = { style: string; body: string }

/** Rendered public page, and the parts of the player that it needs. */
export type RenderedQuiz = RenderedPage & { needs: PageNeeds }

/** Content of the page of a participant. */
type ServedParticipantPage = PageState & {
  result: SnapshotResult | null
  replies: Replies
  documents: DocumentLinks | undefined
}

/** Functions that render pages, as src/web/player/render.tsx exports them. */
type PageRenderers = {
  /** Parses the texts of a version and awaits `pause` between them. */
  readQuizTexts: (
    quiz: Pick<ServedVersion, 'snapshot'>,
    pause: () => Promise<void>,
  ) => Promise<void>
  renderPublicPage: (quiz: ServedVersion) => RenderedQuiz
  renderServedRun: (
    quiz: ServedVersion,
    run: ServedRun,
  ) => RenderedPage & { is_refused: boolean; new_steps: number[] }
  renderServedEnding: (
    quiz: ServedVersion,
    ending: {
      result: SnapshotResult | null
      replies: Replies
      refusal?: 'withdrawn' | 'closed'
      /** Address of the result page without redirect, if this page redirects. */
      stay_href?: string | undefined
      /** Paths of the documents that the participant can download. */
      documents?: DocumentLinks | undefined
    },
  ) => RenderedPage
  renderParticipantPage: (quiz: ServedVersion, page: ServedParticipantPage) => RenderedPage
}

type Renders = Omit<PageRenderers, 'readQuizTexts'>
/** Rendering functions that yield to the event loop while the texts of a version are parsed. */
type RendersInTurns = {
  [Name in keyof Renders]: (
    ...args: Parameters<Renders[Name]>
  ) => Promise<ReturnType<Renders[Name]>>
}

/** Built player: the parts to inline in pages, and the functions that render pages. */
export type PlayerBuild = RendersInTurns & {
  scripts: Record<PageScript, string>
}

/** Scripts that a page may contain: the player, the parts that a quiz may need, and the script of frames. */
const PAGE_SCRIPTS = [
  'player',
  'texts',
  'options',
  'formats',
  'variants',
  'grids',
  'wording',
  'auto_advance',
  'framed',
] as const
type PageScript = (typeof PAGE_SCRIPTS)[number]

/** Output folder of the player in `npm run build`. */
export const PLAYER_FOLDER = new URL('../../../dist/player/', import.meta.url)

/**
 * Reads the built player. Throws if it is missing, or if a script could break out of the element that inlines it.
 */
export const loadPlayerBuild = async (folder: URL = PLAYER_FOLDER): Promise<PlayerBuild> => {
  const [rendering, ...scripts] = await Promise.all([
    importRendering(new URL('render.js', folder)),
    ...PAGE_SCRIPTS.map(async (name) => [name, await loadScript(name, folder)] as const),
  ])
  return {
    ...renderInTurns(rendering),
    scripts: Object.fromEntries(scripts) as Record<PageScript, string>,
  }
}

/** Creates the 413 error of a page that is too large to be rendered for each visitor. */
export const tooLargePage = (): ApiError =>
  new ApiError(
    413,
    'page_too_large',
    'Cette page est trop grande pour être affichée sans JavaScript',
  )

/**
 * Throws a 413 for an old version above the maximum size of a questionnaire, because its pages are rendered for
 * each visitor.
 */
const refuseTooLargeRun = ({ snapshot }: ServedVersion): void => {
  if (questionnaireSize(snapshot) > MAX_QUESTIONNAIRE_SIZE) throw tooLargePage()
}

const renderInTurns = ({ readQuizTexts, ...renders }: PageRenderers): RendersInTurns => {
  const afterReading =
    <Args extends [ServedVersion, ...unknown[]], Page>(render: (...args: Args) => Page) =>
    async (...args: Args): Promise<Page> => {
      const pause = yieldToEventLoop()
      await readQuizTexts(args[0], pause)
      await pause()
      return render(...args)
    }
  const ofRun =
    <Args extends [ServedVersion, ...unknown[]], Page>(render: (...args: Args) => Page) =>
    (...args: Args): Promise<Page> => {
      refuseTooLargeRun(args[0])
      return afterReading(render)(...args)
    }
  return {
    renderPublicPage: afterReading(renders.renderPublicPage),
    renderServedRun: ofRun(renders.renderServedRun),
    renderServedEnding: ofRun(renders.renderServedEnding),
    renderParticipantPage: ofRun(renders.renderParticipantPage),
  }
}

const loadScript = async (name: string, folder: URL): Promise<string> => {
  const script = await readFile(new URL(`${name}.js`, folder), 'utf8')
  if (/<\/script|<!--/i.test(script)) throw new Error(`${name}.js cannot be inlined in a page`)
  return script.trimEnd()
}

/** Imports the rendering module by URL, because the player is built separately. */
const importRendering = (url: URL): Promise<PageRenderers> => import(url.href)
