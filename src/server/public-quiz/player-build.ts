import { readFile } from 'node:fs/promises'
import {
  MAX_QUESTIONNAIRE_SIZE,
  questionnaireSize,
} from '#domain/questionnaire/questionnaire-size.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { Steps } from '#domain/run/path.ts'
import type { PlayerKind } from '#domain/run/visitor-snapshot.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'

/** What the page of one version is made from. */
export type TakenQuiz = {
  quiz_id: string
  version: number
  snapshot: Snapshot
  /** Shown in a frame of another site. */
  is_embedded: boolean
  /** What makes its runs tests (domain/run/trial-runs.ts). */
  test_token?: string | undefined
}

/** The state of a run without scripts. */
export type ServedRun = {
  replies: Replies
  participant_uuid: string
  page_index: number
  is_trapped: boolean
  refusal?: string
  /** The query of the address that the visit began at. */
  parameters: string
  /** The steps that were counted of this visit; none of a run that begins. */
  counted: Steps
}

/** A quiz's own style, and its body. */
export type Rendered = { style: string; body: string }

/** A rendered public page, and how much of the player it needs. */
export type RenderedQuiz = Rendered & { kind: PlayerKind }

/** The functions that write the markup, as src/web/player/render.tsx exports them. */
type Rendering = {
  /** Parses the texts of a version, awaiting `pause` in between. */
  readQuizTexts: (quiz: Pick<TakenQuiz, 'snapshot'>, pause: () => Promise<void>) => Promise<void>
  renderPublicPage: (quiz: TakenQuiz) => RenderedQuiz
  renderServedRun: (
    quiz: TakenQuiz,
    run: ServedRun,
  ) => Rendered & { is_refused: boolean; new_steps: number[] }
  renderServedEnding: (
    quiz: TakenQuiz,
    ending: {
      result: SnapshotResult | null
      replies: Replies
      refusal?: 'withdrawn' | 'closed'
      /** The address of the same end that leads nowhere, where this one does by itself. */
      stay_href?: string | undefined
    },
  ) => Rendered
}

type Renders = Omit<Rendering, 'readQuizTexts'>
/** Functions that let the event loop turn while the texts of a version are parsed, before they write its markup. */
type RendersInTurns = {
  [Name in keyof Renders]: (
    ...args: Parameters<Renders[Name]>
  ) => Promise<ReturnType<Renders[Name]>>
}

/** The built player: the parts that pages inline, and the functions that write their markup. */
export type PlayerBuild = RendersInTurns & {
  /** The same script and style, with less of what a page never shows or asks. */
  players: Record<PlayerKind, Player>
  /** What an embedded page runs besides. */
  framed: string
}

type Player = { script: string; css: string }

/** Where `npm run build` leaves the player. */
export const PLAYER_FOLDER = new URL('../../../dist/player/', import.meta.url)

/** A mark that the build leaves in a stylesheet. */
const BUILD_MARK = /\/\*\$vite\$:\d+\*\//

const cssOf = (built: string): string => built.replace(BUILD_MARK, '').trimEnd()

/** Reads the built player; throws when it is missing, or could break out of the elements it is inlined in. */
export const loadPlayerBuild = async (folder: URL = PLAYER_FOLDER): Promise<PlayerBuild> => {
  const [plain, dressed, whole, framed, rendering] = await Promise.all([
    loadPlayer('plain', folder),
    loadPlayer('dressed', folder),
    loadPlayer('player', folder),
    loadScript('framed', folder),
    importRendering(new URL('render.js', folder)),
  ])
  return { ...renderInTurns(rendering), framed, players: { plain, dressed, whole } }
}

/** 413 for a page of a run without scripts that is, or would be, too large to be written for each visitor. */
export const tooLargePage = (): ApiError =>
  new ApiError(
    413,
    'page_too_large',
    'Cette page est trop grande pour être affichée sans JavaScript',
  )

/** Throws a 413 for a version from before questionnaires had a largest size: it is not rendered for each visitor. */
const refuseTooLargeRun = ({ snapshot }: TakenQuiz): void => {
  if (questionnaireSize(snapshot) > MAX_QUESTIONNAIRE_SIZE) throw tooLargePage()
}

const renderInTurns = ({ readQuizTexts, ...renders }: Rendering): RendersInTurns => {
  const afterReading =
    <Args extends [TakenQuiz, ...unknown[]], Page>(render: (...args: Args) => Page) =>
    async (...args: Args): Promise<Page> => {
      const pause = yieldToEventLoop()
      await readQuizTexts(args[0], pause)
      await pause()
      return render(...args)
    }
  const ofRun =
    <Args extends [TakenQuiz, ...unknown[]], Page>(render: (...args: Args) => Page) =>
    (...args: Args): Promise<Page> => {
      refuseTooLargeRun(args[0])
      return afterReading(render)(...args)
    }
  return {
    renderPublicPage: afterReading(renders.renderPublicPage),
    renderServedRun: ofRun(renders.renderServedRun),
    renderServedEnding: ofRun(renders.renderServedEnding),
  }
}

const loadPlayer = async (name: string, folder: URL): Promise<Player> => {
  const [script, css] = await Promise.all([
    loadScript(name, folder),
    readFile(new URL(`${name}.css`, folder), 'utf8'),
  ])
  if (/<\/style/i.test(css)) throw new Error(`${name}.css cannot be inlined in a page`)
  return { script, css: cssOf(css) }
}

const loadScript = async (name: string, folder: URL): Promise<string> => {
  const script = await readFile(new URL(`${name}.js`, folder), 'utf8')
  if (/<\/script|<!--/i.test(script)) throw new Error(`${name}.js cannot be inlined in a page`)
  return script.trimEnd()
}

/** The browser's code is built separately, so its module is imported by address. */
const importRendering = (url: URL): Promise<Rendering> => import(url.href)
