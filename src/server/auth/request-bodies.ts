import { z } from 'zod'
import { AuthError } from './auth-error.ts'

const MAX_DEPTH = 16

/** Returns true for text that PostgreSQL can store. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Returns true for JSON that PostgreSQL can store and that is not nested too deeply. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === MAX_DEPTH) return false
  return Object.entries(value).every(
    ([key, part]) => isStorableText(key) && isStorable(part, depth + 1),
  )
}

const text = z.string().refine(isStorableText).nullish()
/** Optional text of a body. */
export type Text = z.output<typeof text>
const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorable(value))
  .nullish()

const challenge = { code_challenge: text, code_challenge_method: text }

/** Body of a sign-up. */
export const signUpBody = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  ...challenge,
})
/** Validated body of a sign-up. */
export type SignUpBody = z.output<typeof signUpBody>
/** Body of a sign-in by password. */
export const passwordBody = z.object({ email: text, phone: text, password: text })
/** Body of a refresh. */
export const refreshBody = z.object({ refresh_token: text })
/** Body of a change of the user. */
export const userBody = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  app_metadata: z.unknown().optional(),
  current_password: text,
  nonce: text,
  ...challenge,
})
/** Validated body of a change of the user. */
export type UserBody = z.output<typeof userBody>
/** Body of the enrolment of a factor. */
export const factorBody = z.object({
  friendly_name: text,
  factor_type: text,
  issuer: text,
  phone: text,
})
/** Validated body of the enrolment of a factor. */
export type FactorBody = z.output<typeof factorBody>
/** Body of the verification of a factor. */
export const verifyFactorBody = z.object({
  challenge_id: text,
  code: text,
  webauthn: z.object({ type: text, credential_response: metadata }).nullish(),
})
/** Validated body of the verification of a factor. */
export type VerifyFactorBody = z.output<typeof verifyFactorBody>
/** Body with a recovery code. */
export const recoveryBody = z.object({ code: text })
/** Body of a PKCE exchange. */
export const pkceBody = z.object({ auth_code: text, code_verifier: text })
/** Validated body of a PKCE exchange. */
export type PkceBody = z.output<typeof pkceBody>
/** Body of a sign-in by ID token. */
export const idTokenBody = z.object({
  provider: text,
  client_id: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: z.boolean().nullish(),
})
/** Validated body of a sign-in by ID token. */
export type IdTokenBody = z.output<typeof idTokenBody>
/** Body of a sign-in by wallet. */
export const web3Body = z.object({ chain: text, message: text, signature: text })
/** Body of a request for a sign-in link or code. */
export const otpBody = z.object({
  email: text,
  phone: text,
  create_user: z.boolean().nullish(),
  data: metadata,
  channel: text,
  ...challenge,
})
/** Validated body of a request for a sign-in link or code. */
export type OtpBody = z.output<typeof otpBody>
/** Body of a password reset. */
export const recoverBody = z.object({ email: text, ...challenge })
/** Validated body of a password reset. */
export type RecoverBody = z.output<typeof recoverBody>
/** Body of a repeated mail or text message. */
export const resendBody = z.object({ type: text, email: text, phone: text, ...challenge })
/** Validated body of a repeated mail or text message. */
export type ResendBody = z.output<typeof resendBody>
/** Body of the verification of a link or code. */
export const verifyBody = z.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  phone: text,
})
/** Validated body of the verification of a link or code. */
export type VerifyBody = z.output<typeof verifyBody>

/** Body of the creation or change of an account by an administrator. */
export const adminUserBody = z.object({
  id: text,
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: z.boolean().nullish(),
  phone_confirm: z.boolean().nullish(),
  user_metadata: metadata,
  app_metadata: metadata,
  role: text,
  ban_duration: text,
})
/** Validated body of the creation or change of an account by an administrator. */
export type AdminUserBody = z.output<typeof adminUserBody>
/** Body of the deletion of an account. */
export const deleteUserBody = z.object({ should_soft_delete: z.boolean().nullish() })
/** Body of an invitation. */
export const inviteBody = z.object({ email: text, data: metadata })
/** Validated body of an invitation. */
export type InviteBody = z.output<typeof inviteBody>
/** Body of the generation of a link. */
export const linkBody = z.object({
  type: text,
  email: text,
  password: text,
  new_email: text,
  data: metadata,
  redirect_to: text,
})
/** Validated body of the generation of a link. */
export type LinkBody = z.output<typeof linkBody>

/** Returns the validated body without unknown fields; null counts as an empty object. Throws 400 if it is invalid. */
export const readBody = <Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> => {
  const { success, data } = shape.safeParse(body ?? {})
  if (!success) throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON')
  return data
}
