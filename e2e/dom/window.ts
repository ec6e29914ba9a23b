import { type DOMWindow, JSDOM, VirtualConsole } from 'jsdom'
import { addDialogs } from './dialogs.ts'

/** Functions of the page that a window calls: for errors, calls of the application and media queries. */
export type WindowHooks = {
  onError: (message: string) => void
  send: (request: Request) => Promise<Response>
  matchesMedia: (query: string) => boolean
  /** Aborted when the page is left. */
  closing: AbortSignal
}

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return []
  }
}

/** BroadcastChannel without other tabs: it sends and receives nothing. */
class NoChannel {
  addEventListener(): void {}
  removeEventListener(): void {}
  postMessage(): void {}
  close(): void {}
}

/**
 * Creates the window of a page with an empty document. Adds what browsers have and jsdom lacks; nothing of it measures,
 * because jsdom has no layout.
 */
export const createWindow = (html: string, url: string, hooks: WindowHooks): JSDOM => {
  const virtualConsole = new VirtualConsole()
  virtualConsole.on('jsdomError', (error) => {
    if ('type' in error && error.type === 'not-implemented') return
    hooks.onError(String(error.cause ?? error))
  })
  virtualConsole.on('error', (...parts) => hooks.onError(parts.map(String).join(' ')))
  const dom = new JSDOM(html, {
    url,
    runScripts: 'outside-only',
    pretendToBeVisual: true,
    virtualConsole,
  })
  addMissing(dom.window, hooks)
  addDialogs(dom.window)
  return dom
}

const addMissing = (window: DOMWindow, { send, matchesMedia, closing }: WindowHooks): void => {
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(window, name, { value, configurable: true, writable: true })
  }
  const fetchInPage = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const { keepalive: _, signal, body, ...rest } = init
    const address = input instanceof Request ? input : new URL(String(input), window.location.href)
    const cancelling = new AbortController()
    const cancel = (): void => cancelling.abort(signal?.reason)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel)
    const request = new Request(address, {
      ...rest,
      body: body instanceof window.Blob ? await bytesOf(body) : (body ?? null),
      signal: AbortSignal.any([cancelling.signal, closing]),
    })
    const cancelled = new Promise<never>((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
    })
    return Promise.race([send(request), cancelled])
  }
  define('fetch', fetchInPage)
  define('crypto', globalThis.crypto)
  define('matchMedia', (media: string) => ({
    media,
    matches: matchesMedia(media),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  for (const name of [
    'Response',
    'Headers',
    'Request',
    'TextEncoder',
    'TextDecoder',
    'structuredClone',
    'ReadableStream',
    'CompressionStream',
    'DecompressionStream',
  ] as const)
    define(name, globalThis[name])
  define('IntersectionObserver', NoObserver)
  define('ResizeObserver', NoObserver)
  define('BroadcastChannel', NoChannel)
  define('scrollTo', () => undefined)
  define('scrollBy', () => undefined)
  define('CSS', {
    supports: () => true,
    escape: (text: string) => text.replaceAll(/([^\w-])/g, '\\$1'),
  })
  const element = window.Element.prototype
  element.scrollIntoView = () => undefined
  element.scrollTo = () => undefined
  element.getAnimations = () => []
  element.checkVisibility = () => true
  element.setPointerCapture = () => undefined
  element.releasePointerCapture = () => undefined
  element.hasPointerCapture = () => false
  Object.assign(window.document, { getAnimations: () => [] })
  Object.defineProperty(window.navigator, 'locks', { value: createLocks() })
}

const bytesOf = (blob: Blob): Promise<ArrayBuffer> => new Response(blob.stream()).arrayBuffer()

/** Creates the lock manager of a single tab, in which each name has one queue. */
const createLocks = () => {
  const queues = new Map<string, Promise<unknown>>()
  type Work = (lock: { name: string }) => unknown
  const request = (
    name: string,
    options: Work | object,
    work = options as Work,
  ): Promise<unknown> => {
    const before = queues.get(name) ?? Promise.resolve()
    const next = before.catch(() => undefined).then(() => work({ name }))
    queues.set(name, next)
    return next
  }
  return { request, query: async () => ({ held: [], pending: [] }) }
}
