import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '#server/auth/authenticate.ts'
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
    app.get('/callback', { exposeHeadRoute: false, onRequest }, async (request, reply) => {
      const texts = Object.entries(queryOf(request)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      const caller = calledBy(services, request)
      return lead(reply, 302, await comeBack(caller, Object.fromEntries(texts)))
    })
    app.get('/user/identities/authorize', { onRequest }, async (request, reply) => {
      const { user } = await authenticate(services, request)
      checkManualLinking(services)
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
