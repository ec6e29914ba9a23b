import { createHash, timingSafeEqual } from 'node:crypto'
import { validationFailed } from '#server/auth/auth-error.ts'
import type { SignUpBody } from '#server/auth/request-bodies.ts'

/** PKCE challenge (RFC 7636): hash of a secret verifier, which the client sends later. */
export type Challenge = { code_challenge: string; code_challenge_method: 's256' | 'plain' }

const SHAPE = /^[A-Za-z0-9._~-]{43,128}$/

/** Returns the PKCE challenge of a body; undefined without one. Throws 400 if it is incomplete or invalid. */
export const readChallenge = ({
  code_challenge,
  code_challenge_method,
}: Pick<SignUpBody, 'code_challenge' | 'code_challenge_method'>): Challenge | undefined => {
  if (!code_challenge && !code_challenge_method) return undefined
  const method = code_challenge_method?.toLowerCase()
  if (!code_challenge || !method)
    throw validationFailed(
      'PKCE flow requires both code_challenge and code_challenge_method parameters',
    )
  if (method !== 's256' && method !== 'plain')
    throw validationFailed('code_challenge_method must be one of s256, plain')
  if (!SHAPE.test(code_challenge))
    throw validationFailed('code_challenge must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~')
  return { code_challenge, code_challenge_method: method }
}

/** Returns true if a verifier matches a challenge. */
export const isVerifier = (verifier: string, challenge: Challenge): boolean => {
  const found =
    challenge.code_challenge_method === 's256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier
  const [left, right] = [found, challenge.code_challenge].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
