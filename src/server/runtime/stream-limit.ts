import type { ServerResponse } from 'node:http'

type Options = {
  /** Maximum numbers of open streams, in total and of one key. */
  max_total: number
  max_per_key: number
  /** Creates the error of a stream beyond the limits. */
  refusal: () => Error
}

/**
 * Limits the open streams of each account (downloads, live events), because a stream holds memory for as long as its
 * client reads.
 */
export const createStreamLimit = ({ max_total, max_per_key, refusal }: Options) => {
  const open = new Map<ServerResponse, string>()
  /** Throws the refusal if the account or the process has too many open streams. */
  const check = (key: string): void => {
    const own = [...open.values()].filter((other) => other === key)
    if (open.size >= max_total || own.length >= max_per_key) throw refusal()
  }
  return {
    check,
    /** Counts a stream until its response is closed. Throws the refusal if there are too many. */
    hold: (key: string, response: ServerResponse): void => {
      check(key)
      if (response.destroyed) return
      open.set(response, key)
      response.once('close', () => open.delete(response))
    },
  }
}
