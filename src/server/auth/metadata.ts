import { validationFailed } from './auth-error.ts'
import type { Metadata } from './users.store.ts'

/** It travels in every access token, which must fit into a request's headers. */
const LARGEST_BYTES = 4096

/** Metadata with changes applied key by key; null removes a key. */
export const mergeMetadata = (metadata: Metadata, changes: Metadata): Metadata =>
  Object.fromEntries(
    Object.entries({ ...metadata, ...changes }).filter(([, value]) => value !== null),
  )

/** Refuses metadata that is too large to carry (400). */
export const checkMetadata = (metadata: Metadata): void => {
  if (Buffer.byteLength(JSON.stringify(metadata)) > LARGEST_BYTES)
    throw validationFailed(`User metadata cannot be larger than ${LARGEST_BYTES} bytes`)
}
