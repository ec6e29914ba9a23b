import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Frame } from '@playwright/test'
import { openPhone } from './visit.ts'

/** Figures of one visit, with an empty cache, to a page of another origin that frames the quiz. */
type FramedVisit = {
  /** Milliseconds from the navigation of the surrounding page to the first field in the frame. */
  answerable_ms: number
  /** Milliseconds from the navigation of the frame to its first field. */
  in_frame_ms: number
  /** Milliseconds from the navigation of the surrounding page to the height that fits the quiz. */
  sized_ms: number
  /** Bytes on the wire of all requests until the network is idle. */
  bytes: number
  requests: number
}

/** Serves a page with the code of the share dialog. The port differs, so that the page has another origin. */
const serveHost = async (address: string): Promise<{ url: string; stop: () => void }> => {
  const { origin } = new URL(address)
  const html = `<!doctype html><html lang="fr"><meta name="viewport" content="width=device-width"><title>Un site</title><p>Un texte.</p><iframe src="${address}?embed=1" title="Quiz" width="100%" height="600" frameborder="0" loading="lazy"></iframe><script src="${origin}/embed.js" async></script>`
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, stop: () => void server.close() }
}

/** Returns a time that a window has recorded, in milliseconds since the epoch. */
const momentIn = (frame: Frame, name: string): Promise<number> =>
  frame.evaluate((key) => performance.timeOrigin + Number(Reflect.get(window, key)), name)

/** Opens a page with a framed quiz as a phone. Both origins share one process, so that its slowdown applies to both. */
const visitFramed = async (browser: Browser, url: string): Promise<FramedVisit> => {
  const { context, page, session } = await openPhone(browser)
  const seen = { bytes: 0, requests: 0 }
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:')) seen.requests++
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength
  })
  await page.addInitScript(() => {
    if (window !== top) return
    const look = (): void => {
      if (document.querySelector('iframe')?.style.height)
        Object.assign(window, { sized: performance.now() })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const [host, quiz] = page.frames()
  if (!host || !quiz) throw new Error('The page has no frame')
  await quiz.waitForFunction(() => Reflect.has(window, 'answerable'))
  await host.waitForFunction(() => Reflect.has(window, 'sized'))
  const begun = await host.evaluate(() => performance.timeOrigin)
  const answerable_ms = (await momentIn(quiz, 'answerable')) - begun
  const in_frame_ms = await quiz.evaluate(() => Number(Reflect.get(window, 'answerable')))
  const sized_ms = await host.evaluate(() => Number(Reflect.get(window, 'sized')))
  await context.close()
  return { answerable_ms, in_frame_ms, sized_ms, ...seen }
}

/** Visits pages that frame these quizzes, in alternating rounds, and returns the figures. */
export const measureFramed = async <Name extends string>(
  browser: Browser,
  addresses: Record<Name, string>,
  rounds: number,
): Promise<Record<Name, FramedVisit[]>> => {
  const names = Object.keys(addresses) as Name[]
  const hosts = await Promise.all(names.map((name) => serveHost(addresses[name])))
  const visits = Object.fromEntries(names.map((name) => [name, [] as FramedVisit[]])) as Record<
    Name,
    FramedVisit[]
  >
  for (let round = 0; round < rounds; round++)
    for (const [index, name] of names.entries())
      visits[name].push(await visitFramed(browser, hosts[index]?.url ?? ''))
  for (const { stop } of hosts) stop()
  return visits
}
