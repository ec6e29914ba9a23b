import type { ServerResponse } from 'node:http'

type Options = {
  /** Streams open at the same time, of all keys and of one. */
  most: number
  most_per_key: number
  /** Makes the error of a stream beyond these limits. */
  refusal: () => Error
}

/**
 * Limits the open streams of each account: downloads and live events. A stream lasts as long as its reader and holds
 * memory, however slowly it is read.
 */
export const createStreamLimit = ({ most, most_per_key, refusal }: Options) => {
  const open = new Map<ServerResponse, string>()
  /** Throws the refusal when the account, or the process, has no place for one more stream. */
  const check = (key: string): void => {
    const own = [...open.values()].filter((other) => other === key)
    if (open.size >= most || own.length >= most_per_key) throw refusal()
  }
  return {
    check,
    /** Takes a place until the response is closed; throws the refusal when there is none. */
    hold: (key: string, response: ServerResponse): void => {
      check(key)
      if (response.destroyed) return
      open.set(response, key)
      response.once('close', () => open.delete(response))
    },
  }
}

export type StreamLimit = ReturnType<typeof createStreamLimit>
