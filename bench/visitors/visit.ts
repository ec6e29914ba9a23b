import type { Browser } from '@playwright/test'

/** A phone of the middle range on slow 4G, as Lighthouse has it. */
const NETWORK = {
  offline: false,
  latency: 562,
  downloadThroughput: (1_475 * 1_024) / 8,
  uploadThroughput: (675 * 1_024) / 8,
}
const SLOWDOWN = 4
const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }

/** One visit with nothing in the cache. */
export type Visit = {
  /** Over the wire, headers included, until the page was still. */
  bytes: number
  requests: number
  /** Of other origins than the page's. */
  foreign_requests: number
  cookies: number
  /** Milliseconds from the navigation to the frame that has the first field. */
  answerable_ms: number
  /** Milliseconds to the end of the page's load event, when its scripts have run. */
  loaded_ms: number
}

export const visit = async (browser: Browser, url: string): Promise<Visit> => {
  const context = await browser.newContext({ ...PHONE, locale: 'fr-FR' })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  const { origin } = new URL(url)
  const seen = { bytes: 0, requests: 0, foreign_requests: 0 }
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('data:')) return
    seen.requests++
    if (new URL(request.url).origin !== origin) seen.foreign_requests++
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength
  })
  // What others would fetch from hosts of their own is not there to be fetched.
  await page.route(
    (asked) => asked.origin !== origin,
    (route) => route.abort(),
  )
  await page.addInitScript(() => {
    const look = (): void => {
      const fields = document.querySelectorAll<HTMLInputElement>('input:not([type=hidden])')
      const isThere = [...fields].some((field) => !field.disabled && field.getClientRects()[0])
      if (isThere) Object.assign(window, { answerable: performance.now() })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => Reflect.has(window, 'answerable'))
  const times = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    return {
      answerable_ms: Number(Reflect.get(window, 'answerable')),
      loaded_ms:
        navigation instanceof PerformanceNavigationTiming ? navigation.loadEventEnd : Number.NaN,
    }
  })
  const cookies = (await context.cookies()).length
  await context.close()
  return { ...seen, ...times, cookies }
}
