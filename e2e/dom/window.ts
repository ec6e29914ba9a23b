import { type DOMWindow, JSDOM, VirtualConsole } from 'jsdom'
import { editSelection } from './actions.ts'
import { addDialogs } from './dialogs.ts'
import { addTransfers } from './transfer.ts'
import { createWorkerClass } from './worker.ts'

/** Functions of the page that a window calls: for errors, calls of the application and media queries. */
export type WindowHooks = {
  onError: (message: string) => void
  send: (request: Request) => Promise<Response>
  matchMedia: (query: string) => unknown
  /** Aborted when the page is left. */
  closing: AbortSignal
}

/** Reports each observed element as visible, because a DOM without layout does not scroll. */
class AllVisible {
  readonly #report: (entries: object[], observer: object) => void
  constructor(report: (entries: object[], observer: object) => void) {
    this.#report = report
  }
  observe(target: Element): void {
    const boundingClientRect = target.getBoundingClientRect()
    const entry = { target, boundingClientRect, isIntersecting: true, intersectionRatio: 1 }
    queueMicrotask(() => this.#report([entry], this))
  }
  unobserve(): void {}
  disconnect(): void {}
}

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return []
  }
}

/** Font that is never loaded. */
class NoFont {
  readonly family: string
  readonly weight: string
  constructor(family: string, _source: string, { weight = '400' }: { weight?: string } = {}) {
    this.family = family
    this.weight = weight
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
  addTransfers(dom.window)
  return dom
}

const addMissing = (window: DOMWindow, hooks: WindowHooks): void => {
  const { send, matchMedia, closing } = hooks
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
  define('matchMedia', matchMedia)
  // React then works without the timers of jsdom.
  define('setImmediate', globalThis.setImmediate)
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
  define('IntersectionObserver', AllVisible)
  define('Worker', createWorkerClass(fetchInPage, closing))
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
  Object.assign(element, { animate: () => undefined })
  element.checkVisibility = () => true
  element.setPointerCapture = () => undefined
  element.releasePointerCapture = () => undefined
  element.hasPointerCapture = () => false
  const fonts = Object.assign(new Set(), { ready: Promise.resolve(), load: async () => [] })
  Object.assign(window.document, {
    getAnimations: () => [],
    fonts,
    execCommand: (command: string, _showsInterface?: boolean, text?: string) =>
      editSelection(window.document, command, text),
  })
  define('FontFace', NoFont)
  addToFrames(window, hooks)
  Object.defineProperty(window.navigator, 'locks', { value: createLocks() })
}

/** Adds to the documents of frames what the document of the page has. */
const addToFrames = (window: DOMWindow, hooks: WindowHooks): void => {
  const { prototype } = window.HTMLIFrameElement
  const known = new WeakSet<object>()
  for (const name of ['contentDocument', 'contentWindow']) {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: HTMLIFrameElement) {
        const found = get?.call(this) as Document | DOMWindow | null
        const view = found && ('defaultView' in found ? (found.defaultView as DOMWindow) : found)
        if (view && !known.has(view)) {
          known.add(view)
          addMissing(view, hooks)
        }
        return found
      },
    })
  }
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
