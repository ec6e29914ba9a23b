import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AuthError, validationFailed } from '#server/auth/auth-error.ts'
import { callerOf, identifyAccount } from '#server/auth/identify-caller.ts'
import type { RateLimits } from '#server/auth/rate-limits.ts'
import {
  factorBody,
  readBody,
  recoveryBody,
  verifyFactorBody,
} from '#server/auth/request-bodies.ts'
import { type Services, servicesForCall } from '#server/auth/services.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { enrollFactor, unenrollFactor } from './enroll-factor.ts'
import {
  makeRecoveryCodes,
  recoveryCodesStatus,
  removeRecoveryCodes,
  replaceRecoveryCodes,
  verifyRecoveryCode,
} from './recovery-codes.ts'
import { challengeFactor, verifyFactor } from './verify-factor.ts'

const idOf = ({ params }: FastifyRequest): string => {
  const { id } = params as { id?: string }
  if (id && UUID.test(id)) return id.toLowerCase()
  throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID')
}

/** Routes for second factors and recovery codes of the caller. */
export const factorsRoutes =
  (services: Services, limited: RateLimits, bodyLimit: number) =>
  async (app: FastifyInstance): Promise<void> => {
    const refuseAnonymous = async (request: FastifyRequest): Promise<void> => {
      if (callerOf(request).user.is_anonymous)
        throw new AuthError(403, 'no_authorization', 'Anonymous user not allowed to use MFA')
    }
    const identify = [identifyAccount(services), refuseAnonymous]
    const options = { bodyLimit, onRequest: identify, config: { access: 'account' } } as const
    const limitedOptions = { ...options, onRequest: [limited(() => 'factor'), ...identify] }
    const config = { access: 'factor_owner' } as const

    app.post('/factors', limitedOptions, async (request) =>
      enrollFactor(services, callerOf(request), readBody(factorBody, request.body)),
    )
    app.delete('/factors/:id', { ...options, config }, async (request) =>
      unenrollFactor(services, callerOf(request), idOf(request)),
    )
    app.post('/factors/:id/challenge', { ...limitedOptions, config }, async (request) => {
      const caller = callerOf(request)
      return challengeFactor(servicesForCall(services, request), caller, {
        id: idOf(request),
        ip: request.ip,
      })
    })
    app.post('/factors/:id/verify', { ...limitedOptions, config }, async (request) => {
      const caller = callerOf(request)
      const body = readBody(verifyFactorBody, request.body)
      return verifyFactor(servicesForCall(services, request), caller, {
        id: idOf(request),
        ip: request.ip,
        body,
      })
    })

    app.get('/factors/recovery-codes', options, async (request) =>
      recoveryCodesStatus(services, callerOf(request)),
    )
    app.post('/factors/recovery-codes', limitedOptions, async (request) => {
      const { friendly_name } = readBody(factorBody, request.body)
      return makeRecoveryCodes(services, callerOf(request), friendly_name ?? '')
    })
    app.post('/factors/recovery-codes/regenerate', limitedOptions, async (request) =>
      replaceRecoveryCodes(services, callerOf(request)),
    )
    app.delete('/factors/recovery-codes', options, async (request) =>
      removeRecoveryCodes(services, callerOf(request)),
    )
    app.post('/factors/recovery-codes/verify', limitedOptions, async (request) => {
      const caller = callerOf(request)
      const { code } = readBody(recoveryBody, request.body)
      if (!code) throw validationFailed('code needs to be non-empty')
      return verifyRecoveryCode(servicesForCall(services, request), caller, code)
    })
  }
