import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Addresses that operators and their tools call without the proxy. */
const OF_OPERATORS = new Set(['/healthz', '/readyz', '/metrics'])

const MISSING =
  'a call had no X-Forwarded-For although TRUST_PROXY or TRUSTED_PROXIES is set: all visitors count as one address until the proxy sends it'
const IGNORED =
  'a call had X-Forwarded-For although TRUST_PROXY is off: behind a proxy, all visitors count as one address until it is set'

/** How calls reach the server by its settings: behind a proxy or not, and on this machine only or not. */
type Reach = { is_behind_proxy: boolean; is_local: boolean }

/** Returns the warning that the header of a call calls for; undefined if the header is as the settings say. */
export const findProxyProblem = (
  { is_behind_proxy, is_local }: Reach,
  { path, forwarded }: { path: string; forwarded: string | undefined },
): string | undefined => {
  if (is_local || OF_OPERATORS.has(path)) return undefined
  if (is_behind_proxy) return forwarded === undefined ? MISSING : undefined
  return forwarded === undefined ? undefined : IGNORED
}

/**
 * Logs one warning in the life of the process if a call does not come as the proxy settings say, because rate limits then
 * count all visitors as one address.
 */
export const warnOfProxy = (
  app: FastifyInstance,
  log: Pick<FastifyBaseLogger, 'warn'>,
  reach: Reach,
): void => {
  let isWarned = false
  app.addHook('onRequest', ({ raw: { url = '', headers } }, _reply, done) => {
    if (isWarned) return done()
    const path = url.split('?', 1)[0] ?? ''
    const problem = findProxyProblem(reach, {
      path,
      forwarded: headers['x-forwarded-for']?.toString(),
    })
    if (problem) {
      isWarned = true
      log.warn(problem)
    }
    done()
  })
}
