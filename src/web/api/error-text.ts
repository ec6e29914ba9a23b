import { RefusedCall } from '#contract/client/client.ts'
import { MissingFileError } from './load-files.ts'

const UNKNOWN = 'Erreur inconnue'

/** Returns the sentence for a failed loading (product 14.1): the server's own, or else a general one. */
export const errorText = (error: unknown): string =>
  isExplained(error) ? `Erreur: ${error.message}` : UNKNOWN

const isExplained = (error: unknown): error is RefusedCall =>
  error instanceof RefusedCall && error.message !== UNKNOWN

/** Returns the sentence for a failed save in the editor, always with a reason (product 14.2). */
export const saveErrorText = (error: unknown): string => {
  if (isExplained(error)) return `Erreur: ${error.message}`
  if (error instanceof MissingFileError)
    return 'Erreur: Quizaine a été mis à jour. Rechargez la page, puis réessayez.'
  return error instanceof RefusedCall
    ? 'Erreur: Le serveur n’a pas pu enregistrer. Réessayez dans un instant.'
    : 'Erreur: Le serveur n’a pas pu être joint. Vérifiez votre connexion, puis réessayez.'
}
