import type { z } from 'zod'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import type { Call } from './initial-endpoints.ts'

/** One call of the product API, said once: validation, types, client and OpenAPI derive from it. */
export type Endpoint = Call & {
  /** creator: a valid token is needed; anyone: none is looked at; optional: one may be given. */
  access: 'creator' | 'anyone' | 'optional'
  /** What limits how often it may be called, when that is a limit of its own (src/server/http/edge/rate-limits.ts). */
  limits?: 'shared_statistics' | 'test_submit'
  /** What an API key needs for it where its method does not say so; none: no key opens it (accounts, keys, secrets). */
  key_scope?: KeyScope | 'none'
  query?: z.ZodObject
  /** The names of the path that are no ids; what does not have their shape leads nowhere. */
  params?: z.ZodObject
  body?: z.ZodType
  /** What the body may be when it is raw bytes rather than JSON. */
  body_types?: readonly string[]
  /** What such bytes say, where they are JSON. */
  body_json?: z.ZodType
  /** Largest body in bytes, when it differs from LARGEST_BODY. */
  largest_body?: number
  /** How long it may take in ms, when it differs from LONGEST_CALL_MS. */
  longest_ms?: number
  /** Shape of a 2xx answer; absent: 204 without a body. */
  answer?: z.ZodType
  /** What the answer is when it is no JSON. */
  answer_type?: 'text/plain'
  /** True when the call makes something: it answers 201. */
  creates?: boolean
  /** True when the same call again answers 200 with what the first one gave. */
  repeats?: boolean
  /** What it does, in the French of /docs/reference. */
  summary: string
}

export const LARGEST_BODY = 1_048_576
export const LARGEST_SAVE = 5 * LARGEST_BODY
/** Statements end after 5 s (src/server/db/database.ts); a call is a few of them. */
export const LONGEST_CALL_MS = 15_000

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type Params<E extends Endpoint, Wrap extends 'in' | 'out'> = {
  [Name in ParamNames<E['path']>]: E extends { params: z.ZodObject<infer Shape> }
    ? Name extends keyof Shape
      ? Part<Shape[Name], Wrap>
      : string
    : string
}
type Part<Shape, Wrap extends 'in' | 'out'> = Shape extends z.ZodType
  ? Wrap extends 'in'
    ? z.input<Shape>
    : z.output<Shape>
  : unknown
type Body<E extends Endpoint, Wrap extends 'in' | 'out'> = E extends { body: infer Shape }
  ? { body: Part<Shape, Wrap> }
  : unknown
type Query<E extends Endpoint, Wrap extends 'in' | 'out'> = E extends { query: infer Shape }
  ? Part<Shape, Wrap>
  : unknown

/** What a caller gives: the names of the path and the query side by side, and `body`. */
export type Input<E extends Endpoint> = Params<E, 'in'> & Query<E, 'in'> & Body<E, 'in'>
/** The same once validated, as a handler receives it. */
export type ValidatedInput<E extends Endpoint> = Params<E, 'out'> & Query<E, 'out'> & Body<E, 'out'>
/** What a call gives back; undefined for a 204. */
export type Answer<E extends Endpoint> = E extends { answer: infer Shape }
  ? Part<Shape, 'out'>
  : undefined

export type Group = Record<string, Endpoint>

/** Keeps the literal types of a group while checking it. */
export const group = <const G extends Group>(endpoints: G): G => endpoints

/** Status of the success (decisions « The wire »): creation 201, no body 204, everything else 200. */
export const successStatus = ({ answer, creates }: Endpoint): 200 | 201 | 204 => {
  if (!answer) return 204
  return creates ? 201 : 200
}

/**
 * What an API key needs for a call: 'lecture' of a GET and 'écriture' of the rest, where the call does not say
 * otherwise. Undefined where no key opens it, and where no token is looked at.
 */
export const keyScopeOf = ({
  access,
  key_scope,
  method,
}: Pick<Endpoint, 'access' | 'key_scope' | 'method'>): KeyScope | undefined => {
  if (access === 'anyone' || key_scope === 'none') return undefined
  return key_scope ?? (method === 'GET' ? 'lecture' : 'écriture')
}
