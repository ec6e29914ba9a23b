import { RefusedCall } from '#contract/client.ts'

const UNKNOWN = 'Erreur inconnue'

/** What a failed loading says (spec §8); what is not the server's own sentence says nothing to a creator. */
export const errorText = (error: Error): string =>
  isExplained(error) ? `Erreur: ${error.message}` : UNKNOWN

const isExplained = (error: Error): boolean =>
  error instanceof RefusedCall && error.message !== UNKNOWN

/** What a failed saving of the edit screen says, which always names a reason (spec §8 « Edit screen save failure »). */
export const saveErrorText = (error: Error): string => {
  if (isExplained(error)) return `Erreur: ${error.message}`
  return error instanceof RefusedCall
    ? 'Erreur: Le serveur n’a pas pu enregistrer. Réessayez dans un instant.'
    : 'Erreur: Le serveur n’a pas pu être joint. Vérifiez votre connexion, puis réessayez.'
}
