import type { FastifyInstance, FastifyReply } from 'fastify'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { createBrowserCookie } from '#server/http/edge/browser-cookie.ts'
import { finishKitConsent, parseKitUrl } from './kit-consent.ts'

const PATH = `${BASE_PATH}/integrations/convertkit`

/** Cookie that binds the return from Kit to the browser that started the consent. */
export const consentCookie = createBrowserCookie({ name: 'quizaine_kit', path: PATH, seconds: 600 })

const redirectUncached = (reply: FastifyReply, location: string): FastifyReply =>
  reply
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('location', location)
    .code(303)
    .send()

const textOf = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** Mounts the routes to which Kit redirects browsers: the return from a consent, and the start of an installation. */
export const registerKitConsent = (
  app: FastifyInstance,
  deps: Parameters<typeof finishKitConsent>[0],
): void => {
  const options = { exposeHeadRoute: false }

  const callback_config = { access: 'link', limits: 'page' } as const
  app.get(`${PATH}/callback`, { ...options, config: callback_config }, async (request, reply) => {
    const { query } = request
    const callback = {
      browser: consentCookie.read(request),
      state: textOf(query, 'state'),
      code: textOf(query, 'code'),
      refusal: textOf(query, 'error'),
    }
    return redirectUncached(reply, await finishKitConsent(deps, callback))
  })

  const install_config = { access: 'anyone', limits: 'page' } as const
  app.get(`${PATH}/install`, { ...options, config: install_config }, async ({ query }, reply) => {
    // The consent starts on the settings page, where the creator is signed in.
    const return_to = parseKitUrl(textOf(query, 'redirect'))
    const back = return_to === null ? '' : `&redirect=${encodeURIComponent(return_to)}`
    return redirectUncached(reply, `/settings?convertkit=install${back}`)
  })
}
