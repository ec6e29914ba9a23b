import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Replies } from '#domain/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/snapshot.ts'
import type { Script } from '#server/http/html-page.ts'

/** What the page of one version is made from. */
export type TakenQuiz = {
  quiz_id: string
  version: number
  snapshot: Snapshot
  /** Shown in a frame of another site. */
  is_embedded: boolean
}

/** The state of a run without scripts. */
export type ServedRun = {
  replies: Replies
  participant_uuid: string
  page_index: number
  is_trapped: boolean
  refusal?: string
  /** The last step that was counted (domain/visits.ts); 0 of a run that begins. */
  counted_step: number
}

/** A quiz's own style, and its body. */
export type Rendered = { style: string; body: string }

/** The functions that write the markup, as src/web/player/render.tsx exports them. */
type Rendering = {
  renderTakenQuiz: (quiz: TakenQuiz) => Rendered
  renderServedRun: (
    quiz: TakenQuiz,
    run: ServedRun,
  ) => Rendered & { is_refused: boolean; reached_step: number }
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

/** The built player: what pages run and inline, and the functions that write their markup. */
export type PlayerBuild = Rendering & {
  /** What every page runs once it is shown; its address names its content. */
  script: Required<Script>
  /** What an embedded page runs besides. */
  framed: Script
  css: string
}

/** Where `npm run build` leaves the player. */
export const PLAYER_FOLDER = new URL('../../../dist/player/', import.meta.url)

/** A mark that the build leaves in a stylesheet. */
const BUILD_MARK = /\/\*\$vite\$:\d+\*\//

const cssOf = (built: string): string => built.replace(BUILD_MARK, '').trimEnd()

const DIGEST_DIGITS = 16

const addressOf = (script: string): string =>
  `/player.${createHash('sha256').update(script).digest('hex').slice(0, DIGEST_DIGITS)}.js`

/** Reads the built player; throws when it is missing, or could break out of the elements it is inlined in. */
export const loadPlayerBuild = async (folder: URL = PLAYER_FOLDER): Promise<PlayerBuild> => {
  const [script, framed, css, rendering] = await Promise.all([
    readFile(new URL('player.js', folder), 'utf8'),
    readFile(new URL('framed.js', folder), 'utf8'),
    readFile(new URL('player.css', folder), 'utf8'),
    importRendering(new URL('render.js', folder)),
  ])
  if (/<\/script|<!--/i.test(framed)) throw new Error('framed.js cannot be inlined in a page')
  if (/<\/style/i.test(css)) throw new Error('player.css cannot be inlined in a page')
  return {
    ...rendering,
    script: { text: script, address: addressOf(script) },
    framed: { text: framed.trimEnd() },
    css: cssOf(css),
  }
}

/** The browser's code is built separately, so its module is imported by address. */
const importRendering = (url: URL): Promise<Rendering> => import(url.href)
