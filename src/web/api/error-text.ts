import { RefusedCall } from '#contract/client.ts'

const UNKNOWN = 'Erreur inconnue'

/** What a failed loading says (spec §8); what is not the server's own sentence says nothing to a creator. */
export const errorText = (error: Error): string =>
  error instanceof RefusedCall && error.message !== UNKNOWN ? `Erreur: ${error.message}` : UNKNOWN
