import type { z } from 'zod'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import type { Call } from './initial-endpoints.ts'

/** Owners of objects: creators who own what the first id in the path names. Other creators get 404. */
const OWNERS = [
  'quiz_owner',
  'question_owner',
  'result_owner',
  'key_owner',
  'reply_address_owner',
  'folder_owner',
] as const

/** Callers that a call admits. An API key may act for a creator if it has the scope of the call (`keyScopeOf`). */
export type CallAccess =
  /** Everybody; tokens are ignored. */
  | 'anyone'
  /** Everybody; a creator sees more of their own quiz. */
  | 'optional'
  /** The holder of the secret in the path; tokens are ignored. */
  | 'link'
  /** A signed-in creator, about their own content. */
  | 'creator'
  | (typeof OWNERS)[number]
  /** An administrator of the installation. Others get the answer of an unknown path. */
  | 'administrator'

/** Returns true if only a signed-in creator, or an API key of one, may call. */
export const isForCreators = (access: string | undefined): boolean =>
  access === 'creator' || access === 'administrator' || OWNERS.some((owner) => owner === access)

/** Description of one call, from which validation, types, client and OpenAPI are derived. */
export type Endpoint = Call & {
  access: CallAccess
  /**
   * True if a frame without an origin may make the call, because its page is part of another site and sends neither
   * cookies nor tokens.
   */
  allows_sandboxed_frames?: true
  /** Rate limit, if it is not the one of creators (src/server/http/edge/rate-limits.ts). */
  limits?: 'snapshot' | 'submit' | 'shared_statistics' | 'test_submit' | 'crash_report'
  /**
   * Required scope of an API key, if it differs from the default of the method. 'none': API keys cannot make the call
   * (accounts, keys, secrets).
   */
  key_scope?: KeyScope | 'none'
  query?: z.ZodObject
  /** Path parameters that are not ids. A value of another shape gives 404. */
  params?: z.ZodObject
  body?: z.ZodType
  /** Accepted media types of a raw body. */
  body_types?: readonly string[]
  /** Shape of a raw body that is JSON. */
  body_json?: z.ZodType
  /** Maximum body size in bytes, if it differs from MAX_CALL_BODY_BYTES. */
  max_body_bytes?: number
  /** Time limit in ms, if it differs from MAX_CALL_MS. */
  timeout_ms?: number
  /** Shape of the answer; absent for 204 without a body. */
  answer?: z.ZodType
  /** Media type of an answer that is not JSON. */
  answer_type?: 'text/plain'
  /** True if the call creates an object and answers 201. */
  creates?: boolean
  /** True if a repeated call answers 200 with the first result. */
  repeats?: boolean
  /** French summary for /docs/reference. */
  summary: string
}

/** Default maximum body size in bytes. */
export const MAX_CALL_BODY_BYTES = 1_048_576
/** Maximum body size of a save in bytes. */
export const MAX_SAVE_BODY_BYTES = 5 * MAX_CALL_BODY_BYTES
/** Default time limit of a call in ms. A statement may take 5 s (src/server/db/database.ts), and a call has a few. */
export const MAX_CALL_MS = 15_000

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

/** Input of a call: names of the path and query side by side, and `body`. */
export type Input<E extends Endpoint> = Params<E, 'in'> & Query<E, 'in'> & Body<E, 'in'>
/** Validated input, as a handler receives it. */
export type ValidatedInput<E extends Endpoint> = Params<E, 'out'> & Query<E, 'out'> & Body<E, 'out'>
/** Answer of a call; undefined for 204. */
export type Answer<E extends Endpoint> = E extends { answer: infer Shape }
  ? Part<Shape, 'out'>
  : undefined

/** Calls of one subject, by name. */
export type Group = Record<string, Endpoint>

/** Returns the group unchanged, with its literal types, after a type check. */
export const group = <const G extends Group>(endpoints: G): G => endpoints

/** Returns the status of a success: 201 for a creation, 204 without a body, otherwise 200 (product 13.3). */
export const successStatus = ({ answer, creates }: Endpoint): 200 | 201 | 204 => {
  if (!answer) return 204
  return creates ? 201 : 200
}

/** Callers that no API key can stand for. */
const WITHOUT_KEYS: ReadonlySet<CallAccess> = new Set(['anyone', 'link', 'administrator'])

/**
 * Returns the scope that an API key needs for a call: by default 'lecture' for GET and 'écriture' otherwise.
 * Undefined if no key can make the call, or if it ignores tokens.
 */
export const keyScopeOf = ({
  access,
  key_scope,
  method,
}: Pick<Endpoint, 'access' | 'key_scope' | 'method'>): KeyScope | undefined => {
  if (WITHOUT_KEYS.has(access) || key_scope === 'none') return undefined
  return key_scope ?? (method === 'GET' ? 'lecture' : 'écriture')
}
