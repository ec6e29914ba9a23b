import type { Errors } from './credentials-form.tsx'
import { emailError } from './email-field.tsx'

/** Spec §9 « Password minimum length ». */
const SHORTEST_PASSWORD = 6

type NewPassword = { password: string; confirmation: string }

/** The errors of a new password (spec §5 « Authentication »). */
export const passwordErrors = ({ password, confirmation }: NewPassword): Errors => ({
  password:
    password.length < SHORTEST_PASSWORD
      ? 'Le mot de passe doit contenir au moins 6 caractères'
      : undefined,
  confirmation: password === confirmation ? undefined : 'Les mots de passe ne correspondent pas',
})

/** The errors of a sign-up form. */
export const signupErrors = ({ email, ...passwords }: NewPassword & { email: string }): Errors => ({
  email: emailError(email),
  ...passwordErrors(passwords),
})
