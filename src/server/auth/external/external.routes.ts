import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { insufficientAal } from '#server/auth/auth-error.ts'
import { redirectOf } from '#server/auth/email-links/redirects.ts'
import { callerOf, identifyAccount } from '#server/auth/identify-caller.ts'
import type { RateLimits } from '#server/auth/rate-limits.ts'
import { type Services, servicesForCall } from '#server/auth/services.ts'
import { createBrowserCookie } from '#server/http/edge/browser-cookie.ts'
import { authorizationUrl } from './authorize.ts'
import { callbackAddressOf, finishSignIn } from './callback.ts'
import { checkManualLinking, unlinkIdentity } from './unlink-identity.ts'

const queryOf = ({ query }: FastifyRequest) => query as Record<string, unknown>

const redirect = (reply: FastifyReply, status: 302 | 303, location: string): FastifyReply =>
  reply.header('referrer-policy', 'no-referrer').header('location', location).code(status).send()

const cookie = createBrowserCookie({ name: 'quizaine_way', path: '/auth/v1', seconds: 300 })

/** Routes for sign-in with identity providers and for linked identities. */
export const externalRoutes =
  (services: Services, limited: RateLimits, bodyLimit: number) =>
  async (app: FastifyInstance): Promise<void> => {
    const onRequest = limited(() => 'external')
    const identify = identifyAccount(services)

    const link = { access: 'link' } as const
    const options = { exposeHeadRoute: false, onRequest }

    app.get('/authorize', { ...options, config: { access: 'anyone' } }, async (request, reply) => {
      const redirect_to = redirectOf(request, services)
      const { browser, headers } = cookie.begin(request, services.public_url)
      const target = { redirect_to, linking_user_id: null, browser }
      return redirect(
        reply.headers(headers),
        302,
        await authorizationUrl(services, queryOf(request), target),
      )
    })
    app.get('/callback', { ...options, config: link }, async (request, reply) => {
      const texts = Object.entries(queryOf(request)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      const caller = servicesForCall(services, request)
      const query = Object.fromEntries(texts)
      const { status, location } = await finishSignIn(caller, query, cookie.read(request))
      return redirect(reply, status, location)
    })
    // Only providers with response_mode=form_post send forms.
    app.register(async (forms) => {
      forms.removeAllContentTypeParsers()
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit },
        (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
      )
      forms.post('/callback', { bodyLimit, config: link, onRequest }, async (request, reply) =>
        redirect(
          reply,
          303,
          callbackAddressOf(services, (request.body ?? {}) as Record<string, unknown>),
        ),
      )
    })
    app.get(
      '/user/identities/authorize',
      { config: { access: 'account' }, onRequest: [onRequest, identify] },
      async (request, reply) => {
        const { user, needs_factor } = callerOf(request)
        checkManualLinking(services)
        if (needs_factor) throw insufficientAal(401)
        const { browser, headers } = cookie.begin(request, services.public_url)
        const target = {
          redirect_to: redirectOf(request, services),
          linking_user_id: user.id,
          browser,
        }
        const url = await authorizationUrl(services, queryOf(request), target)
        reply.headers(headers)
        return queryOf(request).skip_http_redirect === 'true' ? { url } : redirect(reply, 302, url)
      },
    )
    const config = { access: 'identity_owner' } as const
    app.delete(
      '/user/identities/:id',
      { bodyLimit, config, onRequest: identify },
      async (request) => {
        await unlinkIdentity(services, callerOf(request), (request.params as { id: string }).id)
        return {}
      },
    )
  }
