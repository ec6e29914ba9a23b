import type { FastifyInstance, FastifyReply } from 'fastify'
import { BASE_PATH } from '#contract/call.ts'
import { createBrowserCookie } from '#server/http/browser-cookie.ts'
import { endConsent, kitAddress } from './connect-kit.ts'

const PATH = `${BASE_PATH}/integrations/convertkit`

/** What ties the way back from Kit to the browser that set out. */
export const kitCookie = createBrowserCookie({ name: 'quizaine_kit', path: PATH, seconds: 600 })

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
export const serveConsent = (
  app: FastifyInstance,
  needs: Parameters<typeof endConsent>[0],
): void => {
  const options = { exposeHeadRoute: false, config: { limits: 'page' } } as const

  app.get(`${PATH}/callback`, options, async (request, reply) => {
    const { query } = request
    const callback = {
      browser: kitCookie.read(request),
      state: textOf(query, 'state'),
      code: textOf(query, 'code'),
      refusal: textOf(query, 'error'),
    }
    return lead(reply, await endConsent(needs, callback))
  })

  app.get(`${PATH}/install`, options, async ({ query }, reply) => {
    // The creator sets out from the settings, where we know who they are.
    const return_to = kitAddress(textOf(query, 'redirect'))
    const back = return_to === null ? '' : `&redirect=${encodeURIComponent(return_to)}`
    return lead(reply, `/settings?convertkit=install${back}`)
  })
}
