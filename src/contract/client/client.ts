import type { Api, ErrorBody } from '#contract/api.ts'
import type { calls } from '#contract/kit/calls.ts'
import type { Answer, Endpoint, Input } from '#contract/kit/endpoint.ts'
import { BASE_PATH, type Call } from '#contract/kit/initial-endpoints.ts'

/** Function that sends one HTTP request: `fetch` in browsers, in-process injection in tests. */
export type Send = (request: {
  method: string
  path: string
  body?: unknown
}) => Promise<{ status: number; body: unknown }>

type Arguments<E extends Endpoint> = keyof Input<E> extends never
  ? []
  : Record<never, never> extends Input<E>
    ? [input?: Input<E>]
    : [input: Input<E>]
/** Client with one typed function per call, grouped as the API is. */
export type Client = {
  [G in keyof Api]: {
    [K in keyof Api[G]]: Api[G][K] extends Endpoint
      ? (...input: Arguments<Api[G][K]>) => Promise<Answer<Api[G][K]>>
      : never
  }
}

/** Error of a refused call. Its message is the French sentence of the server for the screen. */
export class RefusedCall extends Error {
  override name = 'RefusedCall'
  readonly status: number
  readonly code: string
  readonly validation_errors: string[]

  constructor(status: number, body: Partial<ErrorBody> | null) {
    super(body?.error ?? 'Erreur inconnue')
    this.status = status
    this.code = body?.code ?? 'unknown'
    this.validation_errors = body?.validation_errors ?? []
  }
}

/** Returns path and query of a call. Input that the path does not name goes into the query. */
const pathOf = (call: Call, input: Record<string, unknown>): string => {
  const query: string[] = []
  let path: string = call.path
  for (const [name, value] of Object.entries(input)) {
    if (name === 'body' || value === undefined) continue
    if (path.includes(`{${name}}`))
      path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else query.push(`${name}=${encodeURIComponent(String(value))}`)
  }
  return `${BASE_PATH}${path}${query.length > 0 ? '?' : ''}${query.join('&')}`
}

/** Creates a client with one typed function for each call. A function throws a RefusedCall if the status is not 2xx. */
export const createClientOf = <G extends keyof Client>(
  table: Pick<typeof calls, G>,
  send: Send,
): Pick<Client, G> => {
  const callable =
    (call: Call) =>
    async (input: Record<string, unknown> = {}): Promise<unknown> => {
      const { status, body } = await send({
        method: call.method,
        path: pathOf(call, input),
        body: input.body,
      })
      if (status >= 200 && status < 300) return body
      throw new RefusedCall(status, body as Partial<ErrorBody> | null)
    }
  const groups = Object.entries<Record<string, Call>>(table).map(([name, group]) => [
    name,
    Object.fromEntries(Object.entries(group).map(([key, call]) => [key, callable(call)])),
  ])
  // TypeScript cannot derive the type of this generic traversal.
  return Object.fromEntries(groups) as Pick<Client, G>
}
