import { readFile } from 'node:fs/promises'
import type { Steps } from '#domain/left-out-steps.ts'
import type { Replies } from '#domain/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/snapshot.ts'

/** What the page of one version is made from. */
export type TakenQuiz = {
  quiz_id: string
  version: number
  snapshot: Snapshot
  /** Shown in a frame of another site. */
  is_embedded: boolean
  /** What makes its runs tests (domain/test-runs.ts). */
  test_token?: string | undefined
}

/** The state of a run without scripts. */
export type ServedRun = {
  replies: Replies
  participant_uuid: string
  page_index: number
  is_trapped: boolean
  refusal?: string
  /** The steps that were counted of this visit; none of a run that begins. */
  counted: Steps
}

/** A quiz's own style, and its body. */
export type Rendered = { style: string; body: string }

/** The functions that write the markup, as src/web/player/render.tsx exports them. */
type Rendering = {
  /** Also whether it is a plain one, without the parts that some questionnaires show. */
  renderTakenQuiz: (quiz: TakenQuiz) => Rendered & { is_plain: boolean }
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

/** The built player: what pages inline, and the functions that write their markup. */
export type PlayerBuild = Rendering & {
  script: string
  /** What an embedded page runs besides. */
  framed: string
  css: string
  /** The same script and style without the parts that a plain page never shows. */
  plain: { script: string; css: string }
}

/** Where `npm run build` leaves the player. */
export const PLAYER_FOLDER = new URL('../../../dist/player/', import.meta.url)

/** A mark that the build leaves in a stylesheet. */
const BUILD_MARK = /\/\*\$vite\$:\d+\*\//

const cssOf = (built: string): string => built.replace(BUILD_MARK, '').trimEnd()

/** Reads the built player; throws when it is missing, or could break out of the elements it is inlined in. */
export const loadPlayerBuild = async (folder: URL = PLAYER_FOLDER): Promise<PlayerBuild> => {
  const [script, framed, css, plain_script, plain_css, rendering] = await Promise.all([
    readFile(new URL('player.js', folder), 'utf8'),
    readFile(new URL('framed.js', folder), 'utf8'),
    readFile(new URL('player.css', folder), 'utf8'),
    readFile(new URL('plain.js', folder), 'utf8'),
    readFile(new URL('plain.css', folder), 'utf8'),
    importRendering(new URL('render.js', folder)),
  ])
  if (/<\/script|<!--/i.test(script + framed + plain_script))
    throw new Error('The player cannot be inlined')
  if (/<\/style/i.test(css + plain_css)) throw new Error('player.css cannot be inlined in a page')
  return {
    ...rendering,
    script: script.trimEnd(),
    framed: framed.trimEnd(),
    css: cssOf(css),
    plain: { script: plain_script.trimEnd(), css: cssOf(plain_css) },
  }
}

/** The browser's code is built separately, so its module is imported by address. */
const importRendering = (url: URL): Promise<Rendering> => import(url.href)
