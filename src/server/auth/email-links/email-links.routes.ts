import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AuthError } from '#server/auth/auth-error.ts'
import { callerOf, identifyAccount } from '#server/auth/identify-caller.ts'
import type { RateLimits } from '#server/auth/rate-limits.ts'
import {
  otpBody,
  readBody,
  recoverBody,
  resendBody,
  verifyBody,
} from '#server/auth/request-bodies.ts'
import { type Services, servicesForCall } from '#server/auth/services.ts'
import { askForOtp, reauthenticate, recover, resend } from './ask-for-mail.ts'
import { followLink } from './follow-link.ts'
import { redirectOf } from './redirects.ts'
import { verify } from './verify.ts'

/** Routes that send mails and handle their links and codes. */
export const emailLinksRoutes =
  (services: Services, limited: RateLimits, bodyLimit: number) =>
  async (app: FastifyInstance): Promise<void> => {
    const target = (request: FastifyRequest) => redirectOf(request, services)

    const anyone = { access: 'anyone' } as const
    const link = { access: 'link' } as const
    app.post(
      '/otp',
      { bodyLimit, config: anyone, onRequest: limited(() => 'otp') },
      async (request) => {
        await askForOtp(
          servicesForCall(services, request),
          readBody(otpBody, request.body),
          target(request),
        )
        return {}
      },
    )
    app.post(
      '/recover',
      { bodyLimit, config: anyone, onRequest: limited(() => 'recover') },
      async (request) => {
        await recover(
          servicesForCall(services, request),
          readBody(recoverBody, request.body),
          target(request),
        )
        return {}
      },
    )
    app.post(
      '/resend',
      { bodyLimit, config: anyone, onRequest: limited(() => 'resend') },
      async (request) => {
        await resend(
          servicesForCall(services, request),
          readBody(resendBody, request.body),
          target(request),
        )
        return {}
      },
    )
    const onRequest = [limited(() => 'reauthenticate'), identifyAccount(services)]
    const account = { config: { access: 'account' } } as const
    app.get('/reauthenticate', { ...account, onRequest }, async (request) => {
      await reauthenticate(servicesForCall(services, request), callerOf(request).user)
      return {}
    })

    app.post(
      '/verify',
      { bodyLimit, config: link, onRequest: limited(() => 'verify') },
      async (request) =>
        verify(servicesForCall(services, request), readBody(verifyBody, request.body)),
    )
    // Mail scanners send HEAD requests, which must not consume the link.
    app.get(
      '/verify',
      { exposeHeadRoute: false, config: link, onRequest: limited(() => 'verify') },
      async (request, reply) => {
        const { token, type } = request.query as Record<string, unknown>
        const location = await followLink(
          servicesForCall(services, request),
          { token, type },
          target(request),
        )
        return reply
          .header('referrer-policy', 'no-referrer')
          .header('location', location)
          .code(303)
          .send()
      },
    )
    app.head('/verify', { config: anyone }, async (_request, reply) => reply.code(200).send())

    app.post('/sso', { bodyLimit, config: anyone, onRequest: limited(() => 'sso') }, async () => {
      throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled')
    })
  }
