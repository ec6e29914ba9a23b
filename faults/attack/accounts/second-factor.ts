import { TOTP } from 'otpauth'
import { assertPrecondition } from '../runner/attack.ts'
import { createAuthClient, type Tokens } from './auth-client.ts'

const PERIOD_MS = 30_000

/** Adds an authenticator application to an account. Returns its path, its secret and the verification response. */
export const addFactor = async (
  origin: string,
  { access_token }: Pick<Tokens, 'access_token'>,
  network?: string,
) => {
  const { post } = createAuthClient(origin)
  const request = { token: access_token, network }
  const enrolled = await post('/factors', { factor_type: 'totp' }, request)
  const { secret = '' } = (enrolled.json.totp ?? {}) as { secret?: string }
  const path = `/factors/${enrolled.json.id}`
  const challenge = await post(`${path}/challenge`, {}, request)
  const code = new TOTP({ secret }).generate()
  const verified = await post(`${path}/verify`, { challenge_id: challenge.json.id, code }, request)
  assertPrecondition(verified.status === 200, `a factor was answered ${verified.status}`)
  return { path, secret, verified }
}

/** Returns codes that are wrong for the next five minutes. */
export const createWrongCodes = (secret: string, count: number): string[] => {
  const totp = new TOTP({ secret })
  const valid_codes = Array.from({ length: 12 }, (_, index) =>
    totp.generate({ timestamp: Date.now() + (index - 2) * PERIOD_MS }),
  )
  const candidates = Array.from({ length: count + valid_codes.length }, (_, index) =>
    String(100_000 + index * 4_567).slice(0, 6),
  )
  return candidates.filter((code) => !valid_codes.includes(code)).slice(0, count)
}
