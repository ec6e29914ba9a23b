import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import type { AttackContext } from '../attack.ts'
import { launchBrowser } from '../launch-browser.ts'

/** Two published quizzes that a visitor opens in a browser. */
export type VisitedScene = { origin: string; quiz: SampleQuiz; other: SampleQuiz }

/** Creates the scene. */
export const openVisitedScene = async ({ site }: AttackContext): Promise<VisitedScene> => {
  const { origin } = await site('without_confirmation')
  const client = clientOf(origin, await signUp(origin))
  return { origin, quiz: await publishedScoreQuiz(client), other: await publishedScoreQuiz(client) }
}

/** Maximum time in ms until a page shows something. */
export const SHOWN_MS = 15_000

/** Page of a visitor with its errors and with the dialogs that scripts opened. `show` opens HTML on another site. */
export type Visit = {
  page: Page
  errors: string[]
  show: (html: string) => Promise<void>
  host: string
}

/** Opens a page of another site, on the address `host`, in a new browser and closes both afterwards. */
export const visit = async <Found>(work: (visit: Visit) => Promise<Found>): Promise<Found> => {
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
    const show = async (html: string): Promise<void> => {
      body = html
      await page.goto(host)
    }
    return await work({ page, errors, show, host })
  } finally {
    await browser?.close()
    server.closeAllConnections()
    server.close()
  }
}
