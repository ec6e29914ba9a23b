import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '#server/auth/authenticate.ts'
import { insufficientAal } from '#server/auth/factors/factor-errors.ts'
import { redirectOf } from '#server/auth/one-time/redirect-target.ts'
import type { RateLimits } from '#server/auth/rate-limits.ts'
import { calledBy, type Services } from '#server/auth/services.ts'
import { authorizationUrl } from './authorize.ts'
import { comeBack } from './callback.ts'
import { checkManualLinking, unlinkIdentity } from './unlink-identity.ts'

const queryOf = ({ query }: FastifyRequest) => query as Record<string, unknown>

const lead = (reply: FastifyReply, status: 302 | 303, location: string): FastifyReply =>
  reply.header('referrer-policy', 'no-referrer').header('location', location).code(status).send()

/** Sign-in through other providers, and the ways in that an account has. */
export const externalRoutes =
  (services: Services, limited: RateLimits, bodyLimit: number) =>
  async (app: FastifyInstance): Promise<void> => {
    const onRequest = limited(() => 'external')

    app.get('/authorize', { exposeHeadRoute: false, onRequest }, async (request, reply) => {
      const redirect_to = redirectOf(request, services)
      const target = { redirect_to, linking_user_id: null }
      return lead(reply, 302, await authorizationUrl(services, queryOf(request), target))
    })
    const comesBack = async (request: FastifyRequest, reply: FastifyReply, given: object) => {
      const texts = Object.entries(given).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      const caller = calledBy(services, request)
      const { status, location } = await comeBack(caller, Object.fromEntries(texts))
      return lead(reply, status, location)
    }
    app.get('/callback', { exposeHeadRoute: false, onRequest }, async (request, reply) =>
      comesBack(request, reply, queryOf(request)),
    )
    // Some providers answer by a form (response_mode=form_post); nothing else here reads one.
    app.register(async (forms) => {
      forms.removeAllContentTypeParsers()
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit },
        (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
      )
      forms.post('/callback', { bodyLimit, onRequest }, async (request, reply) =>
        comesBack(request, reply, request.body ?? {}),
      )
    })
    app.get('/user/identities/authorize', { onRequest }, async (request, reply) => {
      const { user, needs_factor } = await authenticate(services, request)
      checkManualLinking(services)
      if (needs_factor) throw insufficientAal(401)
      const target = { redirect_to: redirectOf(request, services), linking_user_id: user.id }
      const url = await authorizationUrl(services, queryOf(request), target)
      return queryOf(request).skip_http_redirect === 'true' ? { url } : lead(reply, 302, url)
    })
    app.delete('/user/identities/:id', { bodyLimit }, async (request) => {
      const caller = await authenticate(services, request)
      await unlinkIdentity(services, caller, (request.params as { id: string }).id)
      return {}
    })
  }
