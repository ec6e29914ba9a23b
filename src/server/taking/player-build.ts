import { readFile } from 'node:fs/promises'
import type { Snapshot } from '#domain/snapshot.ts'

/** What the page of one version is made from. */
export type TakenQuiz = { quiz_id: string; version: number; snapshot: Snapshot }

/** The built player: what the page inlines, and the function that writes its markup. */
export type PlayerBuild = {
  script: string
  css: string
  /** The quiz's own style, and the body with the first page readable in it. */
  render: (taken: TakenQuiz) => { style: string; body: string }
}

/** Where `npm run build` leaves the player. */
export const PLAYER_FOLDER = new URL('../../../dist/player/', import.meta.url)

/** Reads the built player; throws when it is missing, or could break out of the elements it is inlined in. */
export const loadPlayerBuild = async (folder: URL = PLAYER_FOLDER): Promise<PlayerBuild> => {
  const [script, css, rendering] = await Promise.all([
    readFile(new URL('player.js', folder), 'utf8'),
    readFile(new URL('player.css', folder), 'utf8'),
    importRendering(new URL('render.js', folder)),
  ])
  if (/<\/script|<!--/i.test(script)) throw new Error('player.js cannot be inlined in a page')
  if (/<\/style/i.test(css)) throw new Error('player.css cannot be inlined in a page')
  return { script, css, render: rendering.renderTakenQuiz }
}

/** The browser's code is built apart, so its module is known by its address alone. */
const importRendering = (url: URL): Promise<{ renderTakenQuiz: PlayerBuild['render'] }> =>
  import(url.href)
