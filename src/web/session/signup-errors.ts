import type { Errors } from './credentials-form.tsx'
import { emailError } from './email-field.tsx'

/** Spec §9 « Password minimum length ». */
const SHORTEST_PASSWORD = 6

/** What is wrong with a sign-up before it is sent (spec §5 « Authentication »). */
export const signupErrors = ({
  email,
  password,
  confirmation,
}: {
  email: string
  password: string
  confirmation: string
}): Errors => ({
  email: emailError(email),
  password:
    password.length < SHORTEST_PASSWORD
      ? 'Le mot de passe doit contenir au moins 6 caractères'
      : undefined,
  confirmation: password === confirmation ? undefined : 'Les mots de passe ne correspondent pas',
})
