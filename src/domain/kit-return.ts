/** How a visit to Kit's page of consent ended, as the settings are told by their address. */
const KIT_RETURNS = ['ok', 'denied', 'expired', 'silent', 'other', 'error'] as const
export type KitReturn = (typeof KIT_RETURNS)[number]

/** What the creator reads of it. */
export const KIT_RETURN_WORDS: Record<KitReturn, string> = {
  ok: 'Kit est connecté.',
  denied: 'Kit n’est pas connecté : l’autorisation a été refusée.',
  expired: 'Ce retour de Kit a expiré ou a déjà servi. Recommencez la connexion.',
  silent: 'Le service ne répond pas, réessayez dans quelques minutes.',
  other:
    'Vous avez autorisé un autre compte Kit que celui qui était connecté. S’il le remplace, les participants en attente y seront envoyés. Connecter cet autre compte ?',
  error: 'Erreur lors de la connexion',
}

export const isKitReturn = (word: string | null): word is KitReturn =>
  KIT_RETURNS.some((known) => known === word)
