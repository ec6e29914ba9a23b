import { canonicalEmail, cleanEmail } from '#domain/mailbox.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { validationFailed } from './auth-error.ts'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** As HTML's email fields check it, which lets in hosts of a private network without a dot. */
const SHAPE = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`)
/** An IP address as the host, in any of its spellings. */
const AT_IP_ADDRESS = /[@.]\d[^.]*$/

/** Returns an address as accounts store and compare it, so that two spellings never name two accounts. */
export const normalizeEmail = (email: string): string =>
  canonicalEmail(email) ?? cleanEmail(email).toLowerCase()

/** Returns the normalised address of an account; throws 400 if it cannot be one. */
export const readEmail = (email: string): string => {
  const normal = normalizeEmail(email)
  if (normal.length > LIMITS.email || !SHAPE.test(normal) || AT_IP_ADDRESS.test(normal))
    throw validationFailed('Unable to validate email address: invalid format')
  return normal
}
