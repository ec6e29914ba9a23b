/** Serves the product with the browser's files of `npm run dev` instead of those in dist. */
import { pathToFileURL } from 'node:url'
import { serveUntilStopped } from '../../src/server/serve.ts'
import { DASHBOARD_FOLDER, PLAYER_FOLDER } from './folders.ts'

await serveUntilStopped(process.env, {
  player: pathToFileURL(`${PLAYER_FOLDER}/`),
  dashboard: DASHBOARD_FOLDER,
})
