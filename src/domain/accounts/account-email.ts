import { canonicalEmail, cleanEmail } from '#domain/common/addresses.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Syntax of an email address as in HTML, which allows hosts of a private network without a dot. */
const SHAPE = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`)
/** Host that is an IP address in any notation. */
const AT_IP_ADDRESS = /[@.]\d[^@.]*$/

/** Returns the stored form of an address, so that two spellings of an address belong to one account. */
export const normalizeAccountEmail = (typed: string): string =>
  canonicalEmail(typed) ?? cleanEmail(typed).toLowerCase()

/** Returns the stored form of an address; undefined if the text is not a valid address. */
export const parseAccountEmail = (typed: string): string | undefined => {
  const email = normalizeAccountEmail(typed)
  const isValid = email.length <= LIMITS.email && SHAPE.test(email) && !AT_IP_ADDRESS.test(email)
  return isValid ? email : undefined
}
