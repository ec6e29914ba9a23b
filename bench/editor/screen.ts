import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'

const KEYS = 40
/** Milliseconds between two keys of a fast typist. */
const KEY_EVERY_MS = 120

/** Measured figures of the questions screen. */
export type Figures = {
  /** Milliseconds until the field of the first question is on screen. */
  opened_ms: number
  /** Milliseconds until the field of the last question is on screen. */
  whole_ms: number
  keys_ms: number[]
  /** CPU milliseconds of the page's main thread per key; other programs do not affect them. */
  key_work_ms: number
  save_bytes: number
}

const QUESTION = 'section[aria-labelledby="page-1"] [data-item] textarea'
const ANSWER = 'section[aria-labelledby="page-1"] [data-item] ul textarea'

/**
 * Opens the questions screen as the creator signed in on `page`, types in the first question, and returns the
 * figures.
 */
export const measureScreen = async (
  page: Page,
  {
    url,
    questions,
    slowdown,
  }: {
    url: string
    questions: number
    /** Factor by which the browser's processor is slowed down. */
    slowdown: number
  },
): Promise<Figures> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(url, { waitUntil: 'commit' })
  const opened_ms = await shownAfter(page, 1)
  const whole_ms = await shownAfter(page, questions)
  await page.waitForLoadState('networkidle')
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const work_before = await workOf(session)
  const keys_ms = await typeKeys(page)
  const key_work_ms = ((await workOf(session)) - work_before) / KEYS
  const save_bytes = await saveAnswer(page)
  await session.detach()
  return { opened_ms, whole_ms, keys_ms, key_work_ms, save_bytes }
}

/** Returns the CPU milliseconds of the page's main thread so far. */
const workOf = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
}

/** Returns the milliseconds from the navigation to the frame that shows the fields of `count` questions. */
const shownAfter = async (page: Page, count: number): Promise<number> => {
  const shown = await page.waitForFunction(
    (least) =>
      document.querySelectorAll('[data-item] textarea').length >= least && performance.now(),
    count,
    { polling: 'raf', timeout: 120_000 },
  )
  return Number(await shown.jsonValue())
}

/** Types a text and returns, for each key, the milliseconds from its event to the next painted frame. */
const typeKeys = async (page: Page): Promise<number[]> => {
  await page.locator(QUESTION).first().click()
  await page.keyboard.press('End')
  await page.evaluate(() => {
    const latencies: number[] = []
    Object.assign(window, { latencies })
    document.addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          // The browser handles this message after the next paint.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => {
            latencies.push(performance.now() - timeStamp)
            document.dispatchEvent(new Event('painted'))
          }
          port2.postMessage(null)
        }),
      { capture: true },
    )
  })
  let keys_ms: number[] = []
  for (let key = 0; key < KEYS; key++) {
    const next = Date.now() + KEY_EVERY_MS
    await page.keyboard.press('e')
    keys_ms = await measured(page, key + 1)
    await pause(Math.max(0, next - Date.now()))
  }
  return keys_ms
}

/** Waits until `count` latencies are recorded and returns them. */
const measured = (page: Page, count: number): Promise<number[]> =>
  page.evaluate(async (least) => {
    const latencies: unknown = Reflect.get(window, 'latencies')
    if (!Array.isArray(latencies)) return []
    while (latencies.length < least)
      await new Promise((painted) => document.addEventListener('painted', painted, { once: true }))
    return latencies.map(Number)
  }, count)

/** Changes one answer and returns the bytes of the resulting save. */
const saveAnswer = async (page: Page): Promise<number> => {
  const isSave = (method: string): boolean => method !== 'GET'
  const isSaved = page.getByText('Enregistré', { exact: true })
  await isSaved.waitFor({ timeout: 60_000 })
  const saving = page.waitForRequest((request) => isSave(request.method()))
  await page.locator(ANSWER).first().fill('Une autre réponse')
  return (await saving).postDataBuffer()?.length ?? 0
}
