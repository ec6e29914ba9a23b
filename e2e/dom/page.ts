import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import type { JSDOM } from 'jsdom'
import { ROOT } from '../../scripts/imports.ts'
import { createApiRequest } from './api-request.ts'
import { addFiles } from './files.ts'
import { pressKeys, typeText } from './keyboard.ts'
import { DomScope, type Surface } from './locator.ts'
import { createMedia, type MediaState } from './media.ts'
import {
  createRoutes,
  type DomRequest,
  describeRequest,
  matchesPattern,
  type Pattern,
} from './routes.ts'
import { STATE_TIMEOUT_MS, waitFor } from './wait.ts'
import { createWindow } from './window.ts'

const BUILT = join(ROOT, 'node_modules/.cache/dom')
/** Returns a file of the built application, for example the script of a worker; undefined for other addresses. */
const fetchFile = ({ url }: Request): Promise<Response> | undefined => {
  const { pathname } = new URL(url)
  const path = join(BUILT, pathname)
  if (!pathname.startsWith('/assets/') || !existsSync(path)) return undefined
  return Promise.resolve(new Response(readFileSync(path)))
}

/** The creator's application, compiled once for all pages of the process. */
let application: vm.Script | undefined
const loadApplication = (): vm.Script => {
  application ??= new vm.Script(readFileSync(join(BUILT, 'app.js'), 'utf8'), { filename: 'app.js' })
  return application
}

const SHELL =
  '<!doctype html><html lang="fr"><head><title>Quizaine</title></head><body><div id="app"></div></body></html>'

type Listener = (subject: unknown) => void
type Wanted<T> = string | RegExp | ((subject: T) => boolean)
type DomResponse = {
  url: () => string
  status: () => number
  ok: () => boolean
  request: () => DomRequest
  json: () => Promise<unknown>
}

/** A page of the creator's application without a browser, with the part of Playwright's interface that journeys use. */
export class DomPage extends DomScope {
  readonly #base: string
  #dom: JSDOM | undefined
  #closing = new AbortController()
  #user: UserEvent | undefined
  readonly #storage = new Map<string, string>()
  readonly #scripts: { fn: unknown; argument: unknown }[] = []
  readonly #listeners = new Map<string, Listener[]>()
  readonly #media: MediaState
  #announceMedia: () => void = () => undefined
  readonly #routes: ReturnType<typeof createRoutes>
  #isOffline = false
  readonly request: ReturnType<typeof createApiRequest>
  readonly keyboard = {
    press: (keys: string): Promise<void> => pressKeys(this.#input(), keys),
    down: (key: string): Promise<void> => this.#input().keyboard(`{${key}>}`),
    up: (key: string): Promise<void> => this.#input().keyboard(`{/${key}}`),
    type: (text: string): Promise<void> => typeText(this.#input(), text),
    insertText: (text: string): Promise<void> => this.#input().paste(text),
  }

  constructor(base: string, media: MediaState) {
    const surface: Surface = {
      body: () => this.document().body,
      user: () => this.#input(),
      page: undefined,
      runInPage: (fn, ...given) => this.#run(fn, ...given),
    }
    super(surface, () => (this.#dom ? [this.document().documentElement] : []), '')
    surface.page = this
    this.#base = base
    this.#media = { ...media }
    this.request = createApiRequest(base)
    this.#routes = createRoutes(base, (request) => fetchFile(request) ?? fetch(request))
  }

  document(): Document {
    if (!this.#dom) throw new Error('The page shows nothing yet')
    return this.#dom.window.document
  }
  url(): string {
    return this.#dom?.window.location.href ?? 'about:blank'
  }

  async goto(path: string): Promise<void> {
    if (path === 'about:blank') return this.#leave()
    await this.#open(new URL(path, this.#base).href)
  }
  async reload(): Promise<void> {
    await this.#open(this.url())
  }
  async goBack(): Promise<void> {
    this.#dom?.window.history.back()
  }
  async goForward(): Promise<void> {
    this.#dom?.window.history.forward()
  }

  async #open(url: string): Promise<void> {
    this.#leave()
    this.#closing = new AbortController()
    const media = createMedia(this.#media)
    this.#announceMedia = media.announceChange
    this.#dom = createWindow(SHELL, url, {
      closing: this.#closing.signal,
      onError: (message) => this.#emit('pageerror', new Error(message)),
      send: (request) => this.#send(request),
      matchMedia: media.matchMedia,
    })
    const { window } = this.#dom
    Object.assign(window, { innerWidth: this.#media.width, innerHeight: this.#media.height })
    Object.defineProperty(window.navigator, 'onLine', { get: () => !this.#isOffline })
    addFiles(window, {
      user: () => this.#input(),
      onDownload: (download) => this.#emit('download', download),
      onFileChooser: (chooser) => this.#emit('filechooser', chooser),
      fetchFile: async (url) => (await this.#send(new Request(url))).bytes(),
    })
    for (const [key, value] of this.#storage) window.localStorage.setItem(key, value)
    this.#user = userEvent.setup({ document: window.document, delay: null, pointerEventsCheck: 0 })
    for (const { fn, argument } of this.#scripts) this.#run(fn, argument)
    loadApplication().runInContext(this.#dom.getInternalVMContext())
  }

  /** Keeps what the page stored, and closes its window. */
  #leave(): void {
    if (!this.#dom) return
    const { window } = this.#dom
    window.dispatchEvent(new window.Event('pagehide'))
    this.#storage.clear()
    for (let index = 0; index < window.localStorage.length; index += 1) {
      const key = window.localStorage.key(index) ?? ''
      this.#storage.set(key, window.localStorage.getItem(key) ?? '')
    }
    window.close()
    this.#closing.abort()
    this.#dom = undefined
  }

  async close(): Promise<void> {
    this.#leave()
  }

  #input(): UserEvent {
    if (!this.#user) throw new Error('The page shows nothing yet')
    return this.#user
  }

  async #send(request: Request): Promise<Response> {
    if (this.#isOffline) throw new TypeError('Failed to fetch')
    const described = await describeRequest(request)
    this.#emit('request', described)
    const reply = await this.#routes.send(request)
    this.#emit('requestfinished', described)
    if (!this.#listeners.get('response')?.length) return reply
    // The answer is copied only if a journey listens, because an unread copy keeps its stream open.
    const copy = reply.clone()
    this.#emit('response', {
      url: () => request.url,
      status: () => reply.status,
      ok: () => reply.ok,
      request: () => described,
      json: () => copy.json(),
    } satisfies DomResponse)
    return reply
  }

  route = async (
    pattern: Pattern,
    handler: Parameters<ReturnType<typeof createRoutes>['add']>[1],
    { times }: { times?: number } = {},
  ): Promise<void> => this.#routes.add(pattern, handler, times)
  unroute = async (
    pattern: Pattern,
    handler?: Parameters<ReturnType<typeof createRoutes>['add']>[1],
  ): Promise<void> => this.#routes.remove(pattern, handler)
  unrouteAll = async (): Promise<void> => this.#routes.clear()

  waitForResponse(wanted: Wanted<DomResponse>): Promise<DomResponse> {
    return this.#waitFor('response', wanted)
  }
  waitForRequest(wanted: Wanted<DomRequest>): Promise<DomRequest> {
    return this.#waitFor('request', wanted)
  }
  /** Waits for an answer or a request with a wanted address, or that a function accepts. */
  #waitFor<T extends { url: () => string }>(event: string, wanted: Wanted<T>): Promise<T> {
    return this.waitForEvent(event, (subject: T) =>
      typeof wanted === 'function'
        ? wanted(subject)
        : matchesPattern(wanted, subject.url(), this.#base),
    )
  }
  waitForEvent<T>(event: string, isWanted: (subject: T) => boolean = () => true): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const listener = (subject: unknown): void => {
      if (isWanted(subject as T)) resolve(subject as T)
    }
    const timer = setTimeout(() => reject(new Error(`No ${event} has come`)), STATE_TIMEOUT_MS)
    this.on(event, listener)
    return promise.finally(() => {
      clearTimeout(timer)
      this.off(event, listener)
    })
  }
  async waitForURL(wanted: Pattern): Promise<void> {
    await waitFor(() => {
      if (!matchesPattern(wanted, this.url(), this.#base))
        throw new Error(`The address is ${this.url()}`)
    })
  }
  async waitForLoadState(): Promise<void> {}

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener])
  }
  off(event: string, listener: Listener): void {
    const others = this.#listeners.get(event)?.filter((other) => other !== listener)
    this.#listeners.set(event, others ?? [])
  }
  #emit(event: string, subject: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(subject)
  }

  async addInitScript(fn: unknown, argument?: unknown): Promise<void> {
    this.#scripts.push({ fn, argument })
  }
  async evaluate(fn: unknown, argument?: unknown): Promise<unknown> {
    return this.#run(fn, argument)
  }
  /** Runs a function or an expression with the globals of the page. */
  #run(fn: unknown, ...given: unknown[]): unknown {
    if (!this.#dom) throw new Error('The page shows nothing yet')
    const context = this.#dom.getInternalVMContext()
    const value = new vm.Script(
      typeof fn === 'function' ? `(${String(fn)})` : String(fn),
    ).runInContext(context) as unknown
    return typeof value === 'function' && typeof fn === 'function' ? value(...given) : value
  }

  async setViewportSize(size: { width: number; height: number }): Promise<void> {
    Object.assign(this.#media, size)
    if (!this.#dom) return
    const { window } = this.#dom
    Object.assign(window, { innerWidth: size.width, innerHeight: size.height })
    window.dispatchEvent(new window.Event('resize'))
    this.#announceMedia()
  }
  viewportSize(): { width: number; height: number } {
    return { width: this.#media.width, height: this.#media.height }
  }
  async emulateMedia({
    colorScheme,
    reducedMotion,
  }: {
    colorScheme?: string
    reducedMotion?: string
  }): Promise<void> {
    Object.assign(this.#media, { colorScheme, reducedMotion })
    this.#announceMedia()
  }
  /** The surroundings of the page. There is one page, so that a second tab fails. */
  context() {
    return {
      grantPermissions: async (): Promise<void> => undefined,
      route: this.route,
      unroute: this.unroute,
      addInitScript: (fn: unknown, argument?: unknown) => this.addInitScript(fn, argument),
      setOffline: async (isOffline: boolean): Promise<void> => {
        this.#isOffline = isOffline
        const window = this.#dom?.window
        if (window) window.dispatchEvent(new window.Event(isOffline ? 'offline' : 'online'))
      },
    }
  }
  mainFrame(): this {
    return this
  }
  frames(): this[] {
    return [this]
  }
}
