import { readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { PageState } from '#domain/participant-pages/page-state.ts'
import {
  MAX_QUESTIONNAIRE_SIZE,
  questionnaireSize,
} from '#domain/questionnaire/questionnaire-size.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import type { VisitedSteps } from '#domain/run/path.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { type Job, MAX_EVENT_LOOP_SIZE } from '#server/heavy-work/job-limits.ts'
import { ApiError, unavailable } from '#server/http/edge/errors.ts'
import { createConcurrencyLimit } from '#server/runtime/concurrency-limit.ts'
import type {
  ParsedVersion,
  RenderedPage,
  RenderedQuiz,
} from '#server/version-tasks/render-page.ts'

/** Version of a quiz, and the kind of page to render for it. */
export type ServedVersion = Omit<ParsedVersion, 'snapshot'> & {
  snapshot: Snapshot
  /** `snapshot` with its texts parsed. */
  rich: RichSnapshot
  /** Creator of the quiz, visitor and call for whom a large page is rendered. */
  caller: Pick<Job, 'owner' | 'network' | 'signal'>
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
  /** Steps already counted for this visit; undefined if a visit begins, whose steps its first form reports. */
  counted: VisitedSteps | undefined
  /** Numbers of the pages whose corrections were shown, the present page included if it shows them. */
  corrected: readonly number[]
  /** Positions of the email questions about whose address the visitor was asked, also on the present page. */
  asked_emails: readonly number[]
  /** Positions of the email questions that the present page asks about; absent without any. */
  emails_to_ask?: readonly number[]
}

/** Content of the page of a participant. */
type ServedParticipantPage = PageState & {
  result: SnapshotResult | null
  replies: Replies
  documents: DocumentLinks | undefined
}

/** Functions that render pages, as src/web/player/render.tsx exports them. */
type PageRenderers = {
  renderPublicPage: (quiz: ParsedVersion) => RenderedQuiz
  renderServedRun: (
    quiz: ParsedVersion,
    run: ServedRun,
  ) => RenderedPage & { is_refused: boolean; new_steps: number[] }
  renderServedEnding: (
    quiz: ParsedVersion,
    ending: {
      result: SnapshotResult | null
      replies: Replies
      refusal?: 'quiz_not_published' | 'quiz_closed'
      /** Address of the result page without redirect, if this page redirects. */
      stay_href?: string | undefined
      /** Paths of the documents that the participant can download. */
      documents?: DocumentLinks | undefined
    },
  ) => RenderedPage
  renderParticipantPage: (quiz: ParsedVersion, page: ServedParticipantPage) => RenderedPage
}

/** Functions that render small pages in turns on the event loop, and large pages in threads. */
type RenderQueue = {
  [Name in keyof PageRenderers]: PageRenderers[Name] extends (
    quiz: ParsedVersion,
    ...rest: infer Rest
  ) => infer Page
    ? (quiz: ServedVersion, ...rest: Rest) => Promise<Page>
    : never
}

/** Built player: the parts to inline in pages, and the functions that render pages. */
export type PlayerBuild = RenderQueue & {
  scripts: Record<PageScript, string>
}

/** Scripts that a page may contain: the player or that of prefilled links, the parts that a quiz may need, and the script of frames. */
const PAGE_SCRIPTS = [
  'player',
  'prefilled',
  'texts',
  'options',
  'formats',
  'phones',
  'variants',
  'grids',
  'wording',
  'auto_advance',
  'framed',
  'invited',
] as const
type PageScript = (typeof PAGE_SCRIPTS)[number]

/** Output folder of the player in `npm run build`. */
export const PLAYER_FOLDER = new URL('../../../dist/player/', import.meta.url)

/**
 * Reads the built player. Throws if it is missing, or if a script could break out of the element that inlines it.
 */
export const loadPlayerBuild = async (
  heavyWork: Pick<HeavyWork, 'runInThread'>,
  folder: URL = PLAYER_FOLDER,
): Promise<PlayerBuild> => {
  const renderer = new URL('render.js', folder)
  const [rendering, ...scripts] = await Promise.all([
    importRendering(renderer),
    ...PAGE_SCRIPTS.map(async (name) => [name, await loadScript(name, folder)] as const),
  ])
  return {
    ...createRenderQueue(rendering, renderer.href, heavyWork),
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

/** Returns a version as the renderers read it. An invited person replies once and cannot begin again. */
const parsedOf = ({
  quiz_id,
  version,
  rich,
  is_embedded,
  test_token,
  invitation_token,
}: ServedVersion): ParsedVersion => {
  const quiz = { ...rich.quiz, allows_restart: false }
  const snapshot = invitation_token === undefined ? rich : { ...rich, quiz }
  return { quiz_id, version, snapshot, is_embedded, test_token, invitation_token }
}

/** Limits of pages that wait to be rendered on the event loop. Quizzes take turns. */
const RENDER_LIMIT = {
  max_concurrent: 1,
  max_queued: 500,
  max_queued_per_key: 100,
  refusal: () => unavailable(1),
}

const createRenderQueue = (
  renders: PageRenderers,
  renderer: string,
  heavyWork: Pick<HeavyWork, 'runInThread'>,
): RenderQueue => {
  const limit = createConcurrencyLimit(RENDER_LIMIT)
  const rendered =
    <Rest extends unknown[], Page>(
      name: keyof PageRenderers,
      render: (quiz: ParsedVersion, ...rest: Rest) => Page,
      max_size: number,
    ) =>
    async (quiz: ServedVersion, ...rest: Rest): Promise<Page> => {
      const size = questionnaireSize(quiz.snapshot)
      if (size > max_size) throw tooLargePage()
      const parsed = parsedOf(quiz)
      if (size > MAX_EVENT_LOOP_SIZE) {
        const input = { renderer, name, quiz: parsed, rest }
        const job = { ...quiz.caller, kind: 'page', size } as const
        return (await heavyWork.runInThread(job, 'render_page', input)) as Page
      }
      return limit({ key: quiz.quiz_id }, async () => {
        await turn()
        return render(parsed, ...rest)
      })
    }
  // Old versions above the maximum size have public pages, which are rendered once, but no pages for each visitor.
  const max = MAX_QUESTIONNAIRE_SIZE
  return {
    renderPublicPage: rendered('renderPublicPage', renders.renderPublicPage, Infinity),
    renderServedRun: rendered('renderServedRun', renders.renderServedRun, max),
    renderServedEnding: rendered('renderServedEnding', renders.renderServedEnding, max),
    renderParticipantPage: rendered('renderParticipantPage', renders.renderParticipantPage, max),
  }
}

const loadScript = async (name: string, folder: URL): Promise<string> => {
  const script = await readFile(new URL(`${name}.js`, folder), 'utf8')
  if (/<\/script|<!--/i.test(script)) throw new Error(`${name}.js cannot be inlined in a page`)
  return script.trimEnd()
}

/** Imports the rendering module by URL, because the player is built separately. */
const importRendering = (url: URL): Promise<PageRenderers> => import(url.href)
