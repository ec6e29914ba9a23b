import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import { test as base, expect } from './fixtures.ts'

/** Site on another origin, with a strict content security policy. */
export type HostSite = {
  origin: string
  /** Opens a page of the site with this HTML in its body. */
  show: (page: Page, html: string, options?: HostPage) => Promise<void>
}
type HostPage = {
  query?: string
  /** Content security policy; strict by default. */
  policy?: string
}

/** Returns the security policy of a strict site: scripts and frames of the quiz's origin, and no styles. */
const strictPolicy = (origin: string): string =>
  `default-src 'none'; script-src ${origin}; frame-src ${origin}; style-src 'none'`

/** Tests with another site that embeds quizzes, and the events that its pages receive. */
export const test = base.extend<{ site: HostSite; events: string[] }>({
  site: async ({ baseURL }, use) => {
    let body = ''
    let policy = ''
    const server = createServer((request, response) => {
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
      show: async (page, html, { query = '', policy: csp = strictPolicy(baseURL ?? '') } = {}) => {
        body = html
        policy = csp
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

/** Labels of the ways to show a quiz. */
const OPENINGS = {
  inline: 'Dans la page',
  button: 'Dans une fenêtre, par un bouton',
  corner: 'Dans une fenêtre, par un bouton fixé dans un coin',
  delay: 'Dans une fenêtre, après quelques secondes',
  scroll: 'Dans une fenêtre, quand le visiteur fait défiler la page',
  exit: 'Dans une fenêtre, quand le visiteur va quitter la page',
}

/** Returns the codes of the share dialog for some openings. */
export const readSnippets = async <Opening extends keyof typeof OPENINGS>(
  page: Page,
  id: string,
  ...openings: Opening[]
): Promise<Record<Opening, string>> => {
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('button', { name: 'Partager' }).click()
  const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
  const code = dialog.getByRole('textbox', { name: 'Code à coller' })
  const snippets = {} as Record<Opening, string>
  for (const opening of openings) {
    await dialog.getByLabel('Affichage').selectOption(OPENINGS[opening])
    snippets[opening] = await code.inputValue()
  }
  return snippets
}

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

/**
 * Waits until the frame posts its height again, at most a second later. A repeated step would arrive with the height.
 */
export const waitForNextMessage = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let seen = 0; seen < 2; seen++)
      await new Promise((heard) => addEventListener('message', heard, { once: true }))
  })
