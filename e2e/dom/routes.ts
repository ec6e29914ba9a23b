/** A call of the page that a test answers itself, as with Playwright's `page.route`. */
type DomRoute = {
  request: () => DomRequest
  abort: () => Promise<void>
  fulfill: (answer: {
    status?: number
    json?: unknown
    body?: string
    contentType?: string
    headers?: Record<string, string>
  }) => Promise<void>
  continue: () => Promise<void>
  fallback: () => Promise<void>
  fetch: () => Promise<{
    status: () => number
    json: () => Promise<unknown>
    text: () => Promise<string>
  }>
}
export type DomRequest = {
  url: () => string
  method: () => string
  postData: () => string | null
  postDataJSON: () => unknown
  headers: () => Record<string, string>
}
export type Pattern = string | RegExp | ((url: URL) => boolean)
type Handler = (route: DomRoute, request: DomRequest) => unknown

/** Returns true if an address matches a glob, a regular expression or a function. */
export const matchesPattern = (pattern: Pattern, url: string, base: string): boolean => {
  if (typeof pattern === 'function') return pattern(new URL(url))
  if (pattern instanceof RegExp) return pattern.test(url)
  const isAbsolute = pattern.includes('://') || pattern.startsWith('*')
  return toRegExp(isAbsolute ? pattern : new URL(pattern, base).href).test(url)
}

const toRegExp = (glob: string): RegExp => {
  const source = glob.replaceAll(/\*\*|\*|\{[^}]*\}|[.+^$()|[\]\\?]/g, (part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part.startsWith('{')) return `(${part.slice(1, -1).replaceAll(',', '|')})`
    return `\\${part}`
  })
  return new RegExp(`^${source}$`)
}

/** Returns a request in the form in which journeys read it. */
export const describeRequest = async (request: Request): Promise<DomRequest> => {
  const text = request.body ? await request.clone().text() : null
  return {
    url: () => request.url,
    method: () => request.method,
    postData: () => text,
    postDataJSON: () => (text === null ? null : JSON.parse(text)),
    headers: () => Object.fromEntries(request.headers),
  }
}

type Registered = { pattern: Pattern; handler: Handler; times: number }

/** Creates the table of handlers of a page. `send` sends a call that no handler answers. */
export const createRoutes = (base: string, send: (request: Request) => Promise<Response>) => {
  let handlers: Registered[] = []
  const answer = async (request: Request, remaining: Registered[]): Promise<Response> => {
    const [registered, ...others] = remaining
    if (!registered) return send(request)
    if (!matchesPattern(registered.pattern, request.url, base)) return answer(request, others)
    registered.times -= 1
    if (registered.times <= 0) handlers = handlers.filter((other) => other !== registered)
    const described = await describeRequest(request)
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const route: DomRoute = {
      request: () => described,
      abort: async () => reject(new TypeError('Failed to fetch')),
      fulfill: async ({ status = 200, json, body, contentType, headers }) => {
        const type = contentType ?? (json === undefined ? undefined : 'application/json')
        const text = json === undefined ? (body ?? '') : JSON.stringify(json)
        const init = { status, headers: { ...headers, ...(type && { 'content-type': type }) } }
        resolve(new Response(status === 204 ? null : text, init))
      },
      continue: async () => send(request).then(resolve, reject),
      fallback: async () => answer(request, others).then(resolve, reject),
      fetch: async () => {
        const reply = await send(request)
        const text = await reply.text()
        return {
          status: () => reply.status,
          json: async () => JSON.parse(text),
          text: async () => text,
        }
      },
    }
    await registered.handler(route, described)
    return promise
  }
  return {
    send: (request: Request): Promise<Response> => answer(request, handlers),
    add: (pattern: Pattern, handler: Handler, times = Number.POSITIVE_INFINITY): void => {
      handlers = [{ pattern, handler, times }, ...handlers]
    },
    remove: (pattern: Pattern, handler?: Handler): void => {
      handlers = handlers.filter(
        (other) =>
          String(other.pattern) !== String(pattern) ||
          (handler !== undefined && other.handler !== handler),
      )
    },
    clear: (): void => {
      handlers = []
    },
  }
}
