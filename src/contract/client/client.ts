import type { Api, ErrorBody } from '#contract/api.ts'
import type { calls } from '#contract/kit/calls.ts'
import type { Answer, Endpoint, Input } from '#contract/kit/endpoint.ts'
import { BASE_PATH, type Call } from '#contract/kit/initial-endpoints.ts'

/** One HTTP exchange: the browser's fetch, a test's in-process injection, or anything alike. */
export type Send = (request: {
  method: string
  path: string
  body?: unknown
}) => Promise<{ status: number; body: unknown }>

type Arguments<E extends Endpoint> = keyof Input<E> extends never ? [] : [input: Input<E>]
export type Client = {
  [G in keyof Api]: {
    [K in keyof Api[G]]: Api[G][K] extends Endpoint
      ? (...input: Arguments<Api[G][K]>) => Promise<Answer<Api[G][K]>>
      : never
  }
}

/** A refused call. The message is the server's French sentence, fit to be shown. */
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

/** Path and query of a call; what the path does not name goes to the query. */
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

/** One typed function for each of these calls; each throws a RefusedCall on any answer that is not 2xx. */
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
  // The tree is walked generically; its type is the contract's, which `calls` is part of.
  return Object.fromEntries(groups) as Pick<Client, G>
}
