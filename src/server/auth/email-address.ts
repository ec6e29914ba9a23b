import { LIMITS } from '#domain/vocabulary.ts'
import { validationFailed } from './auth-error.ts'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const SHAPE = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`)

/** An address as it is stored and compared. */
export const normalizeEmail = (email: string): string => email.toLowerCase()

/** The address of a new account, normalised; throws 400 when it cannot be one (as HTML's input checks). */
export const readEmail = (email: string): string => {
  const normal = normalizeEmail(email)
  if (normal.length > LIMITS.email || !SHAPE.test(normal))
    throw validationFailed('Unable to validate email address: invalid format')
  return normal
}
