import { TOTP } from 'otpauth'
import { assertPrecondition } from '../attack.ts'
import { authOf, type Tokens } from './people.ts'

const PERIOD_MS = 30_000

/** Adds an authenticator application to an account. Returns its address and its secret. */
export const addFactor = async (
  origin: string,
  { access_token }: Pick<Tokens, 'access_token'>,
  from?: string,
) => {
  const { post } = authOf(origin)
  const asked = { access_token, from }
  const enrolled = await post('/factors', { factor_type: 'totp' }, asked)
  const { secret = '' } = (enrolled.json.totp ?? {}) as { secret?: string }
  const path = `/factors/${enrolled.json.id}`
  const challenge = await post(`${path}/challenge`, {}, asked)
  const code = new TOTP({ secret }).generate()
  const verified = await post(`${path}/verify`, { challenge_id: challenge.json.id, code }, asked)
  assertPrecondition(verified.status === 200, `a factor was answered ${verified.status}`)
  return { path, secret, verified }
}

/** Returns codes that are wrong for the next minutes. */
export const wrongCodes = (secret: string, count: number): string[] => {
  const totp = new TOTP({ secret })
  const right = Array.from({ length: 12 }, (_, index) =>
    totp.generate({ timestamp: Date.now() + (index - 2) * PERIOD_MS }),
  )
  const all = Array.from({ length: count + right.length }, (_, index) =>
    String(100_000 + index * 4_567).slice(0, 6),
  )
  return all.filter((code) => !right.includes(code)).slice(0, count)
}
