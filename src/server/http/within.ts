import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LONGEST_CALL_MS } from '#contract/endpoint.ts'
import { AbandonedCall, unavailable } from './errors.ts'

/** State of a call under way. Its abort controller is created on first use, because most calls need none. */
export type CallState = { response: ServerResponse; abort?: AbortController }

const abortOf = (call: CallState): AbortController => {
  if (call.abort) return call.abort
  const abort = new AbortController()
  call.abort = abort
  const abandon = (): void => abort.abort(new AbandonedCall())
  // The response tells that a connection was lost: a request closes as soon as its body was read.
  if (call.response.destroyed) abandon()
  else call.response.once('close', abandon)
  return abort
}

/**
 * Returns the signal that aborts when a call is answered for taking too long, or when its connection closes. Long work
 * passes it on, so that nothing is computed or stored for a caller who no longer waits.
 */
export const signalOf = (request: FastifyRequest): AbortSignal => {
  const call = request.call_state
  if (!call) throw new Error('The call of this request was not begun')
  return abortOf(call).signal
}

/** Returns the signal that aborts when an answer that is streamed was sent, or when its connection closes. */
export const closingOf = ({ raw }: FastifyReply): AbortSignal => abortOf({ response: raw }).signal

/**
 * Runs the work of a call, and throws 503 with Retry-After when it takes longer than `ms`. Its signal is aborted then;
 * the statement under way is cancelled by the database's own time-out, which is shorter.
 */
export const withinTime = <T>(
  {
    request,
    reply,
    ms = LONGEST_CALL_MS,
  }: { request: FastifyRequest; reply: FastifyReply; ms?: number | undefined },
  work: () => Promise<T>,
): Promise<T> => {
  const call: CallState = { response: reply.raw }
  request.call_state = call
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(unavailable())
      abortOf(call).abort(new AbandonedCall())
    }, ms)
    const end = (): void => clearTimeout(timer)
    const working = work()
    working.then(end, end)
    working.then(resolve, reject)
  })
}
