import { settingsPath } from '#domain/common/settings-path.ts'
import { type ChannelName, LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import { isUtm } from '#domain/questionnaire/parameters.ts'

/** Outcomes of Kit's authorization page. */
const KIT_RETURNS = ['ok', 'denied', 'expired', 'silent', 'other', 'error'] as const
/** Outcome of Kit's authorization page. */
export type KitReturn = (typeof KIT_RETURNS)[number]

/** Messages for these outcomes. */
export const KIT_RETURN_LABELS: Record<KitReturn, string> = {
  ok: 'Kit est connecté.',
  denied: 'Kit n’est pas connecté : l’autorisation a été refusée.',
  expired: 'Ce retour de Kit a expiré ou a déjà servi. Recommencez la connexion.',
  silent: 'L’outil ne répond pas, réessayez dans quelques minutes.',
  other:
    'Vous avez autorisé un autre compte Kit que celui qui était connecté. S’il le remplace, les participants en attente y seront envoyés. Connecter cet autre compte ?',
  error: 'Erreur lors de la connexion',
}

/** Returns true if a word is an outcome of Kit's authorization page. */
export const isKitReturn = (word: string | null): word is KitReturn =>
  KIT_RETURNS.some((known) => known === word)

/**
 * Returns the query of the URL to which Kit returns: `convertkit=ok` or `convertkit=error`, which has a `reason` if it
 * is known.
 */
export const kitReturnQuery = (outcome: KitReturn): string => {
  if (outcome === 'ok' || outcome === 'error') return `convertkit=${outcome}`
  return `convertkit=error&reason=${outcome}`
}

/** Returns the outcome that the values of `convertkit` and `reason` in a URL name. */
export const readKitReturn = (word: string, reason: string | null): KitReturn => {
  if (word === 'ok') return word
  return isKitReturn(reason) ? reason : 'error'
}

/** Screens on which a consent at Kit can be started, and to which Kit returns. */
export const KIT_SCREENS = ['integrations', 'automatisations', 'statistics', 'dashboard'] as const
/** Screen on which a consent at Kit can be started. */
export type KitScreen = (typeof KIT_SCREENS)[number]

/** Returns the path of a screen that starts a consent at Kit; null if the screen needs a quiz and none is given. */
export const kitScreenPath = (screen: KitScreen, quiz_id: string | undefined): string | null => {
  if (screen === 'dashboard') return '/dashboard'
  if (quiz_id === undefined) return null
  return screen === 'statistics' ? `/quiz/${quiz_id}/statistics` : settingsPath(quiz_id, screen)
}

/** Names of the email tools in sentences. */
export const PROVIDER_LABELS: Record<ProviderName, string> = {
  convertkit: 'Kit',
  systemio: 'Systeme.io',
  brevo: 'Brevo',
}

/** Names of all channels. */
export const CHANNEL_LABELS: Record<ChannelName, string> = {
  ...PROVIDER_LABELS,
  webhook: 'Webhook',
  mail: 'Email au participant',
  notice: 'Email à vous',
  confirmation: 'Email de confirmation',
}

/** Default names of the field that holds the result (product 11.3). */
const DEFAULT_FIELDS: Record<ProviderName, string> = {
  convertkit: 'Résultat quiz',
  systemio: 'Résultat quiz',
  brevo: 'RESULTAT_QUIZ',
}

/** Maximum length of the name of an attribute at Brevo. */
export const MAX_ATTRIBUTE_LENGTH = 50

/** Returns true if a text can name an attribute at Brevo: capitals without accents, digits and underscores. */
export const isAttributeName = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(name) && name.length <= MAX_ATTRIBUTE_LENGTH

/** Returns a typed field name as the tool stores it; undefined if the tool does not accept it. */
export const readFieldName = (provider: ProviderName, typed: string): string | undefined => {
  const name = typed.trim()
  if (provider !== 'brevo')
    return name === '' || name.length > LIMITS.integration_field ? undefined : name
  const capitals = name.toUpperCase()
  return isAttributeName(capitals) ? capitals : undefined
}

/**
 * Returns the name of the field that holds the result of a quiz. Systeme.io has one name for all quizzes, and a tag
 * for each result.
 */
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
 * Returns the name of the field for a URL parameter. A declared parameter gets a prefix, so that a forged URL cannot
 * overwrite fields such as PRENOM or EMAIL.
 */
export const parameterFieldOf = (provider: ProviderName, name: string): string => {
  const field = isUtm(name) ? name : `quiz_${name}`
  return provider === 'brevo' ? field.toUpperCase() : field
}

/**
 * Returns true if the tool gives a tag with the name of the result by default. Automations of Systeme.io start from
 * tags.
 */
export const tagsByDefault = (provider: ProviderName): boolean => provider === 'systemio'

/** Returns true if the tool has tags; Brevo has lists instead. */
export const hasTags = (provider: ProviderName): boolean => provider !== 'brevo'
