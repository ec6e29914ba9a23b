import type { ChannelName, ProviderName } from '#domain/common/vocabulary.ts'
import { isUtm } from '#domain/questionnaire/parameters.ts'

/** How a visit to Kit's page of consent ended, as the settings are told by their address. */
const KIT_RETURNS = ['ok', 'denied', 'expired', 'silent', 'other', 'error'] as const
export type KitReturn = (typeof KIT_RETURNS)[number]

/** What the creator reads of it. */
export const KIT_RETURN_LABELS: Record<KitReturn, string> = {
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

/** What the tools are called in sentences. */
export const PROVIDER_LABELS: Record<ProviderName, string> = {
  convertkit: 'Kit',
  systemio: 'Systeme.io',
  brevo: 'Brevo',
}

/** The same, and what any webhook and the mails are called. */
export const CHANNEL_LABELS: Record<ChannelName, string> = {
  ...PROVIDER_LABELS,
  webhook: 'Webhook',
  mail: 'Email au participant',
  notice: 'Email à vous',
}

/** The field that a result goes into unless its creator names another (decisions « Forwarding »). */
const DEFAULT_FIELDS: Record<ProviderName, string> = {
  convertkit: 'Résultat quiz',
  systemio: 'Résultat quiz',
  brevo: 'RESULTAT_QUIZ',
}

const LONGEST_ATTRIBUTE = 50

/** What may be the name of an attribute at Brevo: capitals without accents, digits, underscores. */
export const isAttributeName = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(name) && name.length <= LONGEST_ATTRIBUTE

/** A name of a field as its tool will have it; undefined when the tool cannot. */
export const readFieldName = (provider: ProviderName, typed: string): string | undefined => {
  const name = typed.trim()
  if (provider !== 'brevo') return name === '' || name.length > 100 ? undefined : name
  const capitals = name.toUpperCase()
  return isAttributeName(capitals) ? capitals : undefined
}

/** The field of a quiz at a tool. Systeme.io has one name for every quiz, and a tag for each result. */
export const fieldNameOf = (
  provider: ProviderName,
  quiz: { kit_custom_field: string | null; brevo_attribute_name: string | null },
): string => {
  const chosen: Record<ProviderName, string | null> = {
    convertkit: quiz.kit_custom_field,
    systemio: null,
    brevo: quiz.brevo_attribute_name,
  }
  return chosen[provider] ?? DEFAULT_FIELDS[provider]
}

/**
 * The field of a parameter of an address at a tool. Anyone may write an address: a name that the quiz declares has a
 * field of its own beside those that the account has, such as PRENOM or EMAIL.
 */
export const parameterFieldOf = (provider: ProviderName, name: string): string => {
  const field = isUtm(name) ? name : `quiz_${name}`
  return provider === 'brevo' ? field.toUpperCase() : field
}

/** Whether a tag named after the result is given unless the creator says otherwise: automations there start from tags. */
export const tagsByDefault = (provider: ProviderName): boolean => provider === 'systemio'

/** Whether a tool has tags; Brevo has lists. */
export const hasTags = (provider: ProviderName): boolean => provider !== 'brevo'
