import type { Page } from '@playwright/test'
import { assertPrecondition } from '../runner/attack.ts'
import { MAX_SHOWN_MS, visitInBrowser } from '../runner/browser.ts'
import {
  abbreviate,
  createSceneAttacks,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
} from '../runner/scene-attacks.ts'

/** Attacks in a browser: the script of embedded quizzes, and messages between frames. */

const scriptOf = (origin: string, query: Record<string, string>, attributes = ''): string =>
  `<script src="${origin}/embed.js?${new URLSearchParams(query)}" ${attributes}></script>`

/** Clicks every button that the embed script may have made. Returns the addresses of the frames of the page. */
const clickAllButtons = async (page: Page): Promise<string[]> => {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('button,[data-quizaine]'))
      button.click()
  })
  return page.evaluate(() => Array.from(document.querySelectorAll('iframe'), ({ src }) => src))
}

const findForeignFrames = (frames: string[], origin: string): string[] =>
  frames.filter((src) => !src.startsWith(`${origin}/q/`) || /\/q\/[^?]*[./]/.test(src))

const HOSTILE_QUERIES: Record<string, string>[] = [
  { quiz: '..', open: 'corner' },
  { quiz: '../../login', open: 'corner' },
  { quiz: '%2e%2e%2f%2e%2e%2flogin', open: 'corner' },
  { quiz: '//evil.example/', open: 'corner' },
  { quiz: '\\\\evil.example', open: 'corner' },
  { quiz: 'javascript:alert(1)', open: 'delay:0' },
  { quiz: 'x?embed=1#"><script>alert(1)</script>', open: 'corner' },
  { quiz: '__proto__', open: '__proto__ constructor toString' },
  { quiz: 'constructor', open: 'delay:99999999999 scroll:1e3 delay:-1 corner' },
  { quiz: 'a'.repeat(50_000), open: 'corner' },
  { quiz: 'x', open: 'corner '.repeat(50) },
]
const HOSTILE_TITLES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '</button><svg onload=alert(1)>',
  '\u202e\u0000x',
  'a'.repeat(50_000),
]

const SCRIPT_ATTACKS: SceneAttack<QuizScene>[] = [
  [
    'the address of the embed script opens another page or runs a script',
    ({ origin }) =>
      visitInBrowser(async ({ page, errors, openHostPage }) => {
        const successes: string[] = []
        for (const query of HOSTILE_QUERIES) {
          await openHostPage(scriptOf(origin, query))
          const foreign = findForeignFrames(await clickAllButtons(page), origin)
          if (foreign.length > 0) successes.push(`${abbreviate(query)} opens ${foreign.join()}`)
        }
        return [...successes, ...errors]
      }),
  ],
  [
    'the title in the address of the embed script is markup',
    ({ origin, quiz }) =>
      visitInBrowser(async ({ page, errors, openHostPage }) => {
        const successes: string[] = []
        for (const title of HOSTILE_TITLES) {
          await openHostPage(scriptOf(origin, { quiz: quiz.id, open: 'corner', title }))
          await clickAllButtons(page)
          const nb_added = await page.evaluate(
            () => document.querySelectorAll('img,svg,script:not([src])').length,
          )
          if (nb_added > 0) successes.push(`${abbreviate(title)} adds elements`)
        }
        return [...successes, ...errors]
      }),
  ],
  [
    'an element of the host gives another origin to the embed script',
    ({ origin, quiz }) =>
      visitInBrowser(async ({ page, errors, openHostPage, host }) => {
        const successes: string[] = []
        const button = `<button data-quizaine="${host}/q/${quiz.id}">x</button>`
        for (const clobbering of [
          `<img alt="" name="currentScript" src="${host}/embed.js">`,
          `<form name="currentScript"></form><form name="currentScript"></form>`,
          `<iframe name="currentScript" src="${host}/embed.js"></iframe>`,
          `<base href="${host}/">`,
          `<a id="dataLayer" href="javascript:alert(1)"></a><p data-quizaine-datalayer></p>`,
        ]) {
          await openHostPage(clobbering + button + scriptOf(origin, {}))
          const frames = (await clickAllButtons(page)).filter((src) => src.startsWith(`${host}/q/`))
          if (frames.length > 0) successes.push(`${clobbering.slice(0, 30)} opens ${frames.join()}`)
        }
        return [...successes, ...errors]
      }),
  ],
  [
    'an address of another origin is opened in the dialog',
    ({ origin, quiz }) =>
      visitInBrowser(async ({ page, errors, openHostPage, host }) => {
        const here = new URL(origin)
        const addresses = [
          `${host}/q/x`,
          `${origin}.evil.example/q/x`,
          `${origin}@evil.example/q/x`,
          `${here.protocol}//x:y@${here.host}/q/x`,
          `//${here.host}/q/x`,
          'javascript:alert(1)',
          ' javascript:alert(1)',
          'data:text/html,<script>alert(1)</script>',
          `blob:${origin}/x`,
          `${origin}:1/q/x`,
        ]
        const buttons = addresses.map((address) => `<button data-quizaine='${address}'>x</button>`)
        await openHostPage(buttons.join('') + scriptOf(origin, { quiz: quiz.id }))
        const frames = await clickAllButtons(page)
        return [...frames.filter((src) => !src.startsWith(`${origin}/`)), ...errors]
      }),
  ],
]

const forgedMessages = (quiz_id: string): unknown[] => [
  `finish ${quiz_id} 1`,
  `start ${quiz_id} `,
  'close',
  1,
  -5,
  1e9,
  Number.MAX_SAFE_INTEGER,
  ['finish', quiz_id],
  { toString: 1 },
  'x'.repeat(1_000_000),
]

const MESSAGE_ATTACKS: SceneAttack<QuizScene>[] = [
  [
    'a frame of another site sends events or heights to the host in the name of the quiz',
    ({ origin, quiz }) =>
      visitInBrowser(async ({ page, errors, openHostPage, host }) => {
        const forging = `<script>for(const quizaine of ${JSON.stringify(forgedMessages(quiz.id))})for(const w of [parent,top])w.postMessage({quizaine},'*');top.postMessage('sent','*')</script>`
        await openHostPage(
          `<script>var seen=[];for(const n of ['start','page','finish'])addEventListener('quizaine:'+n,(e)=>seen.push(n));addEventListener('message',({data})=>{if(data==='sent')window.isSent=true})</script>${scriptOf(origin, { datalayer: '1' })}<iframe id="ours" src="${origin}/q/${quiz.id}?embed=1" style="height:300px"></iframe><iframe sandbox="allow-scripts" srcdoc='${forging.replaceAll("'", '&#39;')}'></iframe><iframe src="${host}" sandbox="allow-scripts"></iframe>`,
        )
        await page.waitForFunction('window.isSent === true', undefined, { timeout: MAX_SHOWN_MS })
        const seen = await page.evaluate('[seen, window.dataLayer ?? []]')
        const forged = JSON.stringify(seen).includes('finish')
        return [...(forged ? [`the host has heard ${abbreviate(seen)}`] : []), ...errors]
      }),
  ],
  [
    'the frame of a quiz gets any height or events of another form',
    ({ origin, quiz }) =>
      visitInBrowser(async ({ page, errors, openHostPage }) => {
        await openHostPage(
          `${scriptOf(origin, {})}<iframe src="${origin}/q/${quiz.id}?embed=1"></iframe><script>var seen=[];addEventListener('quizaine:finish',(e)=>seen.push(e.detail))</script>`,
        )
        const frame = page.frames().find((candidate) => candidate.url().startsWith(`${origin}/q/`))
        assertPrecondition(frame !== undefined, 'the quiz is not framed')
        await frame?.evaluate((messages) => {
          for (const quizaine of messages) parent.postMessage({ quizaine }, '*')
        }, forgedMessages('__proto__'))
        await page.waitForFunction('document.querySelector("iframe").style.height !== ""')
        const height = await page.evaluate(
          () => document.querySelector('iframe')?.clientHeight ?? 0,
        )
        const seen = await page.evaluate('seen.length')
        return [
          ...(height > 20_000 ? [`the frame is ${height} pixels high`] : []),
          ...(seen === 0 ? [] : ['an event of no quiz is dispatched']),
          ...errors,
        ]
      }),
  ],
  [
    'the host changes the page of the frame by its messages',
    ({ origin, quiz }) =>
      visitInBrowser(async ({ page, errors, openHostPage }) => {
        await openHostPage(`<iframe src="${origin}/q/${quiz.id}?embed=1"></iframe>`)
        const frame = page.frames().find((candidate) => candidate.url().startsWith(`${origin}/q/`))
        assertPrecondition(frame !== undefined, 'the quiz is not framed')
        await page.evaluate(
          (messages) => {
            const { contentWindow } = document.querySelector('iframe') ?? {}
            for (const quizaine of messages) contentWindow?.postMessage({ quizaine }, '*')
          },
          [
            'embed=0&utm_source="><img src=x onerror=alert(1)>',
            `utm_source=${'a'.repeat(1_000_000)}`,
            '__proto__=x&constructor=y',
            '#javascript:alert(1)',
            '%ff%00=%',
            '&'.repeat(500_000),
          ],
        )
        await frame?.getByText('Votre agenda ?').waitFor({ timeout: MAX_SHOWN_MS })
        const address = new URL(frame?.url() ?? '')
        const isOurs = address.origin === origin && address.pathname === `/q/${quiz.id}`
        const isLong = address.href.length > 4_000
        return [
          ...(isOurs && address.searchParams.get('embed') === '1' ? [] : [address.href]),
          ...(isLong ? ['the address is too long'] : []),
          ...errors,
        ]
      }),
  ],
]

/** Attacks on embedded quizzes. */
export const embeddedPages = createSceneAttacks(openQuizScene, [
  ...SCRIPT_ATTACKS,
  ...MESSAGE_ATTACKS,
])
