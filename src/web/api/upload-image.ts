import { calls } from '#contract/calls.ts'
import type { Image } from '#contract/images.ts'
import { LARGEST_FILE, TOO_HEAVY } from '#domain/images.ts'
import { type Sending, sendFile } from './send-file.ts'

/**
 * Sends a picture as it is; the server makes the sizes of it. Throws a RefusedCall with the server's reason, and
 * an Error in French when the file cannot be sent.
 */
export const uploadImage = async (file: Blob, sending: Sending): Promise<Image> => {
  if (file.size > LARGEST_FILE) throw new Error(TOO_HEAVY)
  const answer = await sendFile(file, { call: calls.images.add, unsent: UNSENT_IMAGE, ...sending })
  return (answer as { image: Image }).image
}

const UNSENT_IMAGE = 'L’image n’a pas pu être envoyée. Vérifiez votre connexion, puis réessayez.'
