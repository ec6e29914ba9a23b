import { parseAccountEmail } from '#domain/accounts/account-email.ts'
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

/** Returns the normalised address. Throws 400 if the text is not a valid address. */
export const readEmail = (typed: string): string => {
  const email = parseAccountEmail(typed)
  if (email === undefined)
    throw validationFailed('Unable to validate email address: invalid format')
  return email
}
