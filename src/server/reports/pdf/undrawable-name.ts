import { cutText } from '#domain/common/text.ts'
import { ApiError } from '#server/http/edge/errors.ts'

/** Code of the refusal of a certificate whose name no font can write. */
export const UNDRAWABLE_NAME = 'undrawable_name'
/** Maximum length of the name in the refusal. */
const MAX_NAME_LENGTH = 80

/** Returns the refusal of a certificate whose name no font can write. */
export const undrawableName = (name: string): ApiError =>
  new ApiError(
    ...([422, UNDRAWABLE_NAME] as const),
    `L’attestation de ${cutText(name, MAX_NAME_LENGTH)} n’a pas été créée : les polices de ce site ne savent pas écrire ce nom en entier`,
  )
