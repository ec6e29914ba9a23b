import { z } from 'zod'
import { AuthError } from './auth-error.ts'

const DEEPEST = 16

/** True for text that PostgreSQL keeps as it is. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** True for JSON that PostgreSQL keeps whole and that is not nested beyond reason. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === DEEPEST) return false
  return Object.entries(value).every(
    ([key, part]) => isStorableText(key) && isStorable(part, depth + 1),
  )
}

const text = z.string().refine(isStorableText).nullish()
export type Text = z.output<typeof text>
const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorable(value))
  .nullish()

const challenge = { code_challenge: text, code_challenge_method: text }

export const signUpBody = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  ...challenge,
})
export type SignUpBody = z.output<typeof signUpBody>
export const passwordBody = z.object({ email: text, phone: text, password: text })
export const refreshBody = z.object({ refresh_token: text })
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
export type UserBody = z.output<typeof userBody>
export const factorBody = z.object({
  friendly_name: text,
  factor_type: text,
  issuer: text,
  phone: text,
})
export type FactorBody = z.output<typeof factorBody>
export const verifyFactorBody = z.object({
  challenge_id: text,
  code: text,
  webauthn: z.object({ type: text, credential_response: metadata }).nullish(),
})
export type VerifyFactorBody = z.output<typeof verifyFactorBody>
export const recoveryBody = z.object({ code: text })
export const pkceBody = z.object({ auth_code: text, code_verifier: text })
export type PkceBody = z.output<typeof pkceBody>
export const idTokenBody = z.object({
  provider: text,
  client_id: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: z.boolean().nullish(),
})
export type IdTokenBody = z.output<typeof idTokenBody>
export const web3Body = z.object({ chain: text, message: text, signature: text })
export const otpBody = z.object({
  email: text,
  phone: text,
  create_user: z.boolean().nullish(),
  data: metadata,
  channel: text,
  ...challenge,
})
export type OtpBody = z.output<typeof otpBody>
export const recoverBody = z.object({ email: text, ...challenge })
export type RecoverBody = z.output<typeof recoverBody>
export const resendBody = z.object({ type: text, email: text, phone: text, ...challenge })
export type ResendBody = z.output<typeof resendBody>
export const verifyBody = z.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  phone: text,
})
export type VerifyBody = z.output<typeof verifyBody>

/** Bodies of the admin calls. */
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
export type AdminUserBody = z.output<typeof adminUserBody>
export const deleteUserBody = z.object({ should_soft_delete: z.boolean().nullish() })
export const inviteBody = z.object({ email: text, data: metadata })
export type InviteBody = z.output<typeof inviteBody>
export const linkBody = z.object({
  type: text,
  email: text,
  password: text,
  new_email: text,
  data: metadata,
  redirect_to: text,
})
export type LinkBody = z.output<typeof linkBody>

/** A body in its shape: null counts as absent, unknown fields are dropped, anything else is 400. */
export const readBody = <Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> => {
  const { success, data } = shape.safeParse(body ?? {})
  if (!success) throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON')
  return data
}
