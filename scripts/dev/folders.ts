import { join } from 'node:path'
import { ROOT } from '../imports.ts'

const CACHE = join(ROOT, 'node_modules/.cache/dev')

/** Folder of the public page's scripts and renderer, readable and with source maps. */
export const PLAYER_FOLDER = join(CACHE, 'player')

/** Folder with the page of the screens, whose scripts come from Vite. */
export const DASHBOARD_FOLDER = join(CACHE, 'dashboard')
