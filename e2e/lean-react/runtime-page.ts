import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const ORIGIN = 'https://runtime.example'
const RUNTIME = join(import.meta.dirname, '../../src/web/player/runtime')
const imports = { react: '/runtime/react.ts', 'react-dom/client': '/runtime/react.ts' }
const HTML = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`

/** An empty page whose modules find, under React's names, what stands in for it on the visitors' page. */
export const openRuntimePage = async (page: Page): Promise<void> => {
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: HTML })
    const path = pathname.startsWith('/runtime/')
      ? join(RUNTIME, pathname.slice('/runtime'.length))
      : join(import.meta.dirname, pathname)
    const body = stripTypeScriptTypes(readFileSync(path, 'utf8'))
    return route.fulfill({ contentType: 'text/javascript', body })
  })
  await page.goto(ORIGIN)
}
