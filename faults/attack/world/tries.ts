import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'

/** Attack on a prepared scene: its printed name, and a function that returns a line for each success of the attacker. */
export type Try<Scene> = [name: string, run: (scene: Scene) => Promise<string[]>]

/** Returns one attack for each try. All tries share a scene, which the first try opens. */
export const attacksOn = <Scene>(
  open: (context: AttackContext) => Promise<Scene>,
  tries: Try<Scene>[],
): Attack[] => {
  let opening: Promise<Scene> | undefined
  return tries.map(([name, run]) => ({
    name,
    run: async (context) => {
      opening ??= open(context)
      return run(await opening)
    },
  }))
}

/** Answer of the site, with its text and its duration. */
export type TimedAnswer = { status: number; text: string; headers: Headers; ms: number }

const MAX_DURATION_MS = 30_000
/** Time after which an answer counts as a success of the attacker. */
const MAX_WAIT_MS = 2_000

/** Makes one call without following redirects. An object as body is sent as JSON. */
export const send = async (
  url: string,
  { body, headers, ...init }: Omit<RequestInit, 'body'> & { body?: unknown } = {},
): Promise<TimedAnswer> => {
  const begun = performance.now()
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array)
  const response = await fetch(url, {
    ...(body !== undefined && { method: 'POST', body: isJson ? JSON.stringify(body) : body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(MAX_DURATION_MS),
    ...init,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, text, headers: response.headers, ms: performance.now() - begun }
}

/** Returns the harm that any answer may do: an error of the server, or a wait. */
const findHarm = ({ status, ms }: TimedAnswer): string | undefined => {
  // 501 says that oEmbed has no other format than JSON.
  if (status >= 500 && status !== 501) return `status ${status}`
  return ms > MAX_WAIT_MS ? `an answer after ${Math.round(ms)} ms` : undefined
}

/** Returns the beginning of a value for a printed line. */
export const short = (value: unknown): string => String(JSON.stringify(value)).slice(0, 80)

/**
 * Sends each value and returns a line for each one that harms the server, or that `findSuccess` calls a success. Throws if
 * there are no values.
 */
export const tryEach = async <Value>(
  values: readonly Value[],
  sendValue: (value: Value) => Promise<TimedAnswer>,
  findSuccess: (answer: TimedAnswer, value: Value) => string | undefined,
): Promise<string[]> => {
  assertPrecondition(values.length > 0, 'there are no values')
  const successes: string[] = []
  for (const value of values) {
    const answer = await sendValue(value)
    const success = findHarm(answer) ?? findSuccess(answer, value)
    if (success) successes.push(`${short(value)}: ${success}`)
  }
  return successes
}
