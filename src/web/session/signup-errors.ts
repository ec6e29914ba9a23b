import type { Errors } from './credentials-form.tsx'
import { emailError } from './email-field.tsx'

/** Spec §9 « Password minimum length ». */
const SHORTEST_PASSWORD = 6

type Chosen = { password: string; confirmation: string }

/** What is wrong with a password that is being chosen (spec §5 « Authentication »). */
export const passwordErrors = ({ password, confirmation }: Chosen): Errors => ({
  password:
    password.length < SHORTEST_PASSWORD
      ? 'Le mot de passe doit contenir au moins 6 caractères'
      : undefined,
  confirmation: password === confirmation ? undefined : 'Les mots de passe ne correspondent pas',
})

/** What is wrong with a sign-up before it is sent. */
export const signupErrors = ({ email, ...chosen }: Chosen & { email: string }): Errors => ({
  email: emailError(email),
  ...passwordErrors(chosen),
})
