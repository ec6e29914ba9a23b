import { canonicalEmail, cleanEmail } from '#domain/common/addresses.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { validationFailed } from '#server/auth/auth-error.ts'
import type { Metadata } from './users.store.ts'

/** Maximum size of metadata, because every access token contains them and must fit into a request header. */
const MAX_METADATA_BYTES = 4096

/** Returns metadata with changes applied key by key; null deletes a key. */
export const mergeMetadata = (metadata: Metadata, changes: Metadata): Metadata =>
  Object.fromEntries(
    Object.entries({ ...metadata, ...changes }).filter(([, value]) => value !== null),
  )

/** Throws 400 if metadata are too large. */
export const checkMetadata = (metadata: Metadata): void => {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw validationFailed(`User metadata cannot be larger than ${MAX_METADATA_BYTES} bytes`)
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Syntax of an email address as in HTML, which allows hosts of a private network without a dot. */
const SHAPE = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`)
/** Host that is an IP address in any notation. */
const AT_IP_ADDRESS = /[@.]\d[^@.]*$/

/** Returns the stored form of an address, so that two spellings of an address belong to one account. */
export const normalizeEmail = (email: string): string =>
  canonicalEmail(email) ?? cleanEmail(email).toLowerCase()

/** Returns the normalised address. Throws 400 if the text is not a valid address. */
export const readEmail = (email: string): string => {
  const normal = normalizeEmail(email)
  if (normal.length > LIMITS.email || !SHAPE.test(normal) || AT_IP_ADDRESS.test(normal))
    throw validationFailed('Unable to validate email address: invalid format')
  return normal
}
