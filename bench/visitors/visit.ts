import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** Lighthouse scores by category. */
export type Scores = Record<(typeof CATEGORIES)[number], number>

/** Maximum number of Lighthouse runs, because Lighthouse sometimes fails on a busy machine (NO_NAVSTART). */
const MAX_ATTEMPTS = 3

/** Returns the Lighthouse scores (0 to 100) of a page on a phone. */
export const auditWithLighthouse = (
  peers: string,
  chromium: string | undefined,
  url: string,
): Scores => {
  for (let tries = 1; ; tries++) {
    const { stdout, stderr, status } = runLighthouse(peers, chromium, url)
    if (status === 0) return scoresOf(stdout)
    if (tries === MAX_ATTEMPTS || !stderr.includes('NO_NAVSTART'))
      throw new Error(`Lighthouse failed: ${stderr.slice(-500)}`)
  }
}

const runLighthouse = (peers: string, chromium: string | undefined, url: string) =>
  spawnSync(
    process.execPath,
    [
      join(peers, 'node_modules/lighthouse/cli/index.js'),
      url,
      '--output=json',
      '--quiet',
      '--chrome-flags=--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking',
    ],
    { encoding: 'utf8', maxBuffer: 64 << 20, env: { ...process.env, CHROME_PATH: chromium } },
  )

const scoresOf = (report: string): Scores => {
  const { categories }: { categories: Record<string, { score: number | null }> } =
    JSON.parse(report)
  const scoreOf = (name: string): number =>
    Math.round((categories[name]?.score ?? Number.NaN) * 100)
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  }
}

/** Slow 4G, as simulated by Lighthouse for a mid-range phone. */
const NETWORK = {
  offline: false,
  latency: 562,
  downloadThroughput: (1_475 * 1_024) / 8,
  uploadThroughput: (675 * 1_024) / 8,
}
const SLOWDOWN = 4
const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }

/** Figures of one visit with an empty cache. */
export type Visit = {
  /** Bytes on the wire, headers included, until the page was idle. */
  bytes: number
  /** Bytes that had arrived when the page could be answered, without images and fonts. */
  first_bytes: number
  /** Bytes that arrived later, without images and fonts. */
  later_bytes: number
  requests: number
  /** Requests to other origins. */
  foreign_requests: number
  cookies: number
  /** Milliseconds from the navigation to the frame with the first field or the button of the welcome screen. */
  answerable_ms: number
  /** Milliseconds on an idle machine: transfer time of the page plus CPU time of its main thread. */
  alone_ms: number
  /** Milliseconds to the first paint of text. */
  painted_ms: number
  /** Milliseconds to the end of the page's load event, when its scripts have run. */
  loaded_ms: number
  /** Cumulative layout shift (CLS). */
  shift: number
}

type LoadedResource = { is_heavy: boolean; bytes: number; arrived: number }

/** Resource types that do not count as weight of the page. */
const HEAVY_TYPES = new Set(['Image', 'Font'])

/** Name of the performance mark of the moment when the page can be answered. */
const MARK = 'quizaine-answerable'
const TRACED = ['-*', 'blink.user_timing', 'devtools.timeline']

const sum = (fetched: readonly LoadedResource[]): number =>
  fetched.reduce((total, { bytes }) => total + bytes, 0)

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tts?: number }

/** Returns the CPU milliseconds of the main thread from the first byte to the mark. */
const workIn = (trace: Buffer): number => {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString())
  const mark = traceEvents.find(({ name }) => name === MARK)
  const own = traceEvents.filter(({ pid, tid }) => pid === mark?.pid && tid === mark.tid)
  const begun = own.find(({ name }) => name === 'ParseHTML')
  return ((mark?.tts ?? Number.NaN) - (begun?.tts ?? Number.NaN)) / 1_000
}

/** Opens an empty page as a phone on a slow network. It marks the moment when its next page can be answered. */
export const openPhone = async (
  browser: Browser,
): Promise<{ context: BrowserContext; page: Page; session: CDPSession }> => {
  const context = await browser.newContext({ ...PHONE, locale: 'fr-FR' })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript((mark) => {
    const look = (): void => {
      const fields = document.querySelectorAll<HTMLInputElement | HTMLButtonElement>(
        'input:not([type=hidden]):not([inert]),.q-welcome button',
      )
      const isThere = [...fields].some((field) => !field.disabled && field.getClientRects()[0])
      if (isThere) Object.assign(window, { answerable: performance.mark(mark).startTime })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, MARK)
  return { context, page, session }
}

/** Waits until a page can be answered and returns the milliseconds since its navigation. */
export const waitUntilAnswerable = async (page: Page): Promise<number> => {
  await page.waitForFunction(() => Reflect.has(window, 'answerable'))
  return page.evaluate(() => Number(Reflect.get(window, 'answerable')))
}

/** Opens a page as a phone and returns the measured times and bytes. */
export const visit = async (browser: Browser, url: string): Promise<Visit> => {
  const { context, page, session } = await openPhone(browser)
  const { origin } = new URL(url)
  const seen = { requests: 0, foreign_requests: 0 }
  const fetched = new Map<string, LoadedResource>()
  let begun: number | undefined
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, type }) => {
    if (request.url.startsWith('data:')) return
    begun ??= timestamp
    seen.requests++
    if (new URL(request.url).origin !== origin) seen.foreign_requests++
    fetched.set(requestId, {
      is_heavy: HEAVY_TYPES.has(type ?? ''),
      bytes: 0,
      arrived: Number.POSITIVE_INFINITY,
    })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = fetched.get(requestId)
    if (!request) return
    request.bytes = encodedDataLength
    request.arrived = (timestamp - (begun ?? 0)) * 1_000
  })
  // Requests to other hosts are blocked.
  await page.route(
    (asked) => asked.origin !== origin,
    (route) => route.abort(),
  )
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, {
          shift: Number(Reflect.get(window, 'shift')) + Number(Reflect.get(entry, 'value')),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await browser.startTracing(page, { categories: TRACED })
  await page.goto(url, { waitUntil: 'networkidle' })
  const answerable_ms = await waitUntilAnswerable(page)
  const work_ms = workIn(await browser.stopTracing())
  const { arrived_ms, ...times } = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    return {
      painted_ms:
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      shift: Number(Reflect.get(window, 'shift')),
      ...(navigation instanceof PerformanceNavigationTiming
        ? { loaded_ms: navigation.loadEventEnd, arrived_ms: navigation.responseEnd }
        : { loaded_ms: Number.NaN, arrived_ms: Number.NaN }),
    }
  })
  const cookies = (await context.cookies()).length
  await context.close()
  const all = [...fetched.values()]
  const own = all.filter(({ is_heavy }) => !is_heavy)
  // Scripts start after the document, so bytes before it always count.
  const isFirst = ({ arrived }: LoadedResource): boolean => arrived <= answerable_ms
  const first_bytes = sum(own.filter((request, index) => index === 0 || isFirst(request)))
  return {
    ...seen,
    ...times,
    answerable_ms,
    alone_ms: arrived_ms + work_ms,
    cookies,
    bytes: sum(all),
    first_bytes,
    later_bytes: sum(own) - first_bytes,
  }
}
