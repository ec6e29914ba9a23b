import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import {
  type EmbedChoice,
  embedSnippet,
  hasNumber,
  OPENING_NUMBERS,
} from '../../src/web/editor/sharing/embed-snippet.ts'
import { test as base, expect } from './fixtures.ts'

/** Site on another origin, with a strict content security policy. */
export type HostSite = {
  origin: string
  /** Returns the code of a quiz, inline by default. The share dialog offers the same (`embedding.spec.ts`). */
  codeOf: (id: string, options?: Partial<EmbedChoice> & { name?: string }) => string
  /** Opens a page of the site with this HTML in its body. */
  show: (page: Page, html: string, options?: HostPage) => Promise<void>
}
type HostPage = {
  query?: string
  /** Content security policy; strict by default. */
  policy?: string
  /** Scripts of the site by their path. */
  scripts?: Record<string, string>
}

/** Returns the security policy of a strict site: scripts and frames of the quiz's origin, and no styles. */
const strictPolicy = (origin: string): string =>
  `default-src 'none'; script-src ${origin}; frame-src ${origin}; style-src 'none'`

/** Tests with another site that embeds quizzes, and the events that its pages receive. */
export const test = base.extend<{ site: HostSite; events: string[] }>({
  site: async ({ baseURL }, use) => {
    let body = ''
    let policy = ''
    let scripts: Record<string, string> = {}
    const server = createServer((request, response) => {
      const script = scripts[`${request.url}`]
      if (script !== undefined) {
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script)
        return
      }
      const isPage = /^\/(?:\?|$)/.test(`${request.url}`)
      response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
        })
        .end(
          `<!doctype html><html lang="fr"><title>Un autre site</title><meta name="viewport" content="width=device-width"><body><main><h1>Un autre site</h1>${isPage ? body : ''}</main></body>`,
        )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await use({
      origin,
      codeOf: (id, { name = 'Quel rythme ?', opening = 'inline', ...options } = {}) => {
        const number = hasNumber(opening) ? OPENING_NUMBERS[opening].usual : 0
        return embedSnippet(
          { opening, number, has_data_layer: false, ...options },
          { link: `${baseURL}/q/${id}`, quiz: { name, type: 'quiz' } },
        )
      },
      show: async (page, html, { query = '', ...options } = {}) => {
        body = html
        policy = options.policy ?? strictPolicy(baseURL ?? '')
        scripts = options.scripts ?? {}
        await page.goto(`${origin}/${query}`)
      },
    })
    server.closeAllConnections()
    server.close()
  },
  /** Events of all pages of the test, as « finish 2 ». Their details are checked. */
  events: async ({ page }, use) => {
    const seen: string[] = []
    await page.exposeFunction('noteEvent', (type: string, detail: Record<string, unknown>) => {
      expect(Object.keys(detail)).toEqual(['quiz', 'rank'])
      seen.push(`${type.replace('quizaine:', '')} ${detail.rank}`)
    })
    await page.addInitScript(() => {
      if (window !== top) return
      const { noteEvent } = window as unknown as {
        noteEvent: (type: string, detail: unknown) => void
      }
      for (const name of ['start', 'page', 'finish'])
        addEventListener(`quizaine:${name}`, (event) =>
          noteEvent(event.type, (event as CustomEvent).detail),
        )
    })
    await use(seen)
  },
})

/** Answers the sample score quiz in a frame to its end; « Libre » gives the second result. */
export const answerInFrame = async (
  quiz: FrameLocator,
  answer: 'Rempli' | 'Libre' = 'Libre',
): Promise<void> => {
  await quiz.getByRole('radio', { name: answer }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  await quiz.getByLabel('Où vous écrire ?').fill('camille@exemple.fr')
  await quiz.getByRole('button', { name: 'Voir le résultat' }).click()
  const result = answer === 'Libre' ? 'Grand saut' : 'Pas à pas'
  await expect(quiz.getByRole('heading', { level: 1 })).toHaveText(result)
}

/** Events of a run that `answerInFrame` takes to its end. */
export const RUN_EVENTS = ['page 1', 'start null', 'page 2', 'finish 2']

/** Returns a frame of the site's page. */
export const quizIn = (page: Page, index = 0): FrameLocator =>
  page.frameLocator(`iframe >> nth=${index}`)

/** Returns the keys of a frame's `localStorage`; one has « pending » while answers have not arrived. */
export const listKeptKeys = (quiz: FrameLocator): Promise<string> =>
  quiz.locator('body').evaluate(() => Object.keys(localStorage).join())

/**
 * Waits until the frame posts its height again, at most a second later. A repeated step would arrive with the height.
 */
export const waitForNextMessage = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let seen = 0; seen < 2; seen++)
      await new Promise((heard) => addEventListener('message', heard, { once: true }))
  })
