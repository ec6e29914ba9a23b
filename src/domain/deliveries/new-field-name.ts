import { normalizeText } from '#domain/common/normalize-text.ts'
import { cutText } from '#domain/common/text.ts'
import { LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import { isMappable } from './account-fields.ts'
import { isSameField } from './field-mappings.ts'
import { MAX_ATTRIBUTE_LENGTH } from './integrations.ts'

const DEFAULT_FIELD_NAMES: Record<ProviderName, string> = {
  convertkit: 'Réponse',
  systemio: 'Réponse',
  brevo: 'REPONSE',
}

/** Returns a text as the name of an attribute at Brevo, without accents, in capitals; empty if nothing remains. */
const toAttributeName = (text: string): string => {
  const name = normalizeText(text.toUpperCase(), 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('Œ', 'OE')
    .replaceAll('Æ', 'AE')
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
    .join('_')
  return /^\d/.test(name) ? `Q_${name}` : name
}

/**
 * Returns the name of a new field for a text, in the form that the tool accepts. A number follows if a field in use has
 * the name, or if the tool reserves it.
 */
export const newFieldName = (
  provider: ProviderName,
  text: string,
  used: readonly string[],
): string => {
  const isBrevo = provider === 'brevo'
  const max_length = isBrevo ? MAX_ATTRIBUTE_LENGTH : LIMITS.integration_field
  const wanted = isBrevo ? toAttributeName(text) : text.trim().replaceAll(/\s+/g, ' ')
  const name = wanted || DEFAULT_FIELD_NAMES[provider]
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `${isBrevo ? '_' : ' '}${number}`
    const cut = cutText(name, max_length - suffix.length)
    // Words of an attribute are joined by one underscore each.
    const start = isBrevo ? cut.replace(/_$/, '') : cut.trimEnd()
    const numbered = start + suffix
    if (isMappable(provider, numbered) && !used.some((field) => isSameField(field, numbered)))
      return numbered
  }
}
