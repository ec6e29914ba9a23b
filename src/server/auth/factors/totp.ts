import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Services } from '#server/auth/services.ts'
import { seal, unseal } from '#server/runtime/sealing.ts'

const PERIOD_SECONDS = 30
/** TOTP parameters that all authenticator applications support. */
const COMMON = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const
/** Allowed clock difference in periods. */
const MAX_PERIOD_DIFFERENCE = 1

/** Returns the encryption context of a TOTP secret. */
export const factorLabel = (user_id: string): string => `mfa_factors/${user_id}`
/** Derivation purpose of the encryption key of second factors. */
export const FACTOR_PURPOSE = 'auth/second-factors'

/** Creates a TOTP secret. Returns it encrypted for storage, and as text, URI and QR code for authenticator apps. */
export const makeTotp = (
  { factorKey }: Pick<Services, 'factorKey'>,
  { user_id, issuer, label }: { user_id: string; issuer: string; label: string },
) => {
  const secret = new Secret({ size: 20 })
  const uri = new TOTP({ ...COMMON, issuer, label, secret }).toString()
  return {
    sealed_secret: seal(factorKey, factorLabel(user_id), secret.base32),
    totp: { qr_code: renderSVG(uri, { border: 2 }), secret: secret.base32, uri },
  }
}

/** Returns the number of the 30-second period of a code; undefined if the code is wrong. Allows one period of clock difference. */
export const stepOfCode = (
  { factorKey }: Pick<Services, 'factorKey'>,
  { user_id, sealed_secret }: { user_id: string; sealed_secret: Buffer },
  code: string,
  now = Date.now(),
): number | undefined => {
  const secret = Secret.fromBase32(unseal(factorKey, factorLabel(user_id), sealed_secret))
  const totp = new TOTP({ ...COMMON, secret })
  const delta = totp.validate({ token: code, window: MAX_PERIOD_DIFFERENCE, timestamp: now })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta
}
