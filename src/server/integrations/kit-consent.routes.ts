import type { FastifyInstance, FastifyReply } from 'fastify'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { createBrowserCookie } from '#server/http/edge/browser-cookie.ts'
import { finishKitConsent, parseKitUrl } from './kit-consent.ts'

const PATH = `${BASE_PATH}/integrations/convertkit`

/** What ties the way back from Kit to the browser that set out. */
export const consentCookie = createBrowserCookie({ name: 'quizaine_kit', path: PATH, seconds: 600 })

const lead = (reply: FastifyReply, location: string): FastifyReply =>
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

/** Where Kit sends browsers: the way back from a consent, and the beginning of an installation. */
export const registerKitConsent = (
  app: FastifyInstance,
  needs: Parameters<typeof finishKitConsent>[0],
): void => {
  const options = { exposeHeadRoute: false, config: { limits: 'page' } } as const

  app.get(`${PATH}/callback`, options, async (request, reply) => {
    const { query } = request
    const callback = {
      browser: consentCookie.read(request),
      state: textOf(query, 'state'),
      code: textOf(query, 'code'),
      refusal: textOf(query, 'error'),
    }
    return lead(reply, await finishKitConsent(needs, callback))
  })

  app.get(`${PATH}/install`, options, async ({ query }, reply) => {
    // The creator sets out from the settings, where we know who they are.
    const return_to = parseKitUrl(textOf(query, 'redirect'))
    const back = return_to === null ? '' : `&redirect=${encodeURIComponent(return_to)}`
    return lead(reply, `/settings?convertkit=install${back}`)
  })
}
