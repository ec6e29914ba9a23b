import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from '@playwright/test'
import { prepareChromium } from '../../../scripts/test/chromium.ts'
import { assertPrecondition } from './attack.ts'

const OPTIONS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']

/** Starts the browser of the journeys: an installed browser, otherwise that of the development dependency. */
export const launchBrowser = async (): Promise<Browser> => {
  const environment = await prepareChromium()
  assertPrecondition(environment !== undefined, 'there is no browser')
  return chromium.launch({
    executablePath: environment?.CHROMIUM_PATH,
    env: { ...process.env, ...environment },
    args: OPTIONS,
  })
}

/** Maximum time until a page shows something. */
export const MAX_SHOWN_MS = 15_000

/** Browser tab in which a visitor opens the product, or another site that embeds the product. */
export type BrowserVisit = {
  page: Page
  /** Errors of scripts, and the messages of dialogs that scripts opened. */
  errors: string[]
  /** Opens HTML as a page of another site. */
  openHostPage: (html: string) => Promise<void>
  /** Origin of the other site. */
  host: string
}

/** Starts a browser and a server of another site, runs `work` with both, and closes them. */
export const visitInBrowser = async <T>(work: (visit: BrowserVisit) => Promise<T>): Promise<T> => {
  let body = ''
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="fr"><title>Site</title><body>${body}</body></html>`),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let browser: Browser | undefined
  try {
    browser = await launchBrowser()
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('dialog', async (dialog) => {
      errors.push(`a script ran: ${dialog.message()}`)
      await dialog.dismiss()
    })
    const openHostPage = async (html: string): Promise<void> => {
      body = html
      await page.goto(host)
    }
    return await work({ page, errors, openHostPage, host })
  } finally {
    await browser?.close()
    server.closeAllConnections()
    server.close()
  }
}
