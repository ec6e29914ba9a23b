import { z } from 'zod'
import { excerpt } from '#domain/common/text.ts'

const KINDS: Record<string, string> = {
  string: 'un texte',
  number: 'un nombre',
  int: 'un nombre entier',
  boolean: 'vrai ou faux',
  array: 'une liste',
  object: 'un objet',
  record: 'un objet',
}
/** How much is said of a key that was sent. */
const LONGEST_KEY = 60
const UNITS: Record<string, string> = { string: ' caractères', array: ' éléments' }

/** One mistake of a request in a French sentence that a creator can act on; undefined leaves zod's own. */
const sentenceOf = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Ce champ est obligatoire'
      return `Il faut ${KINDS[issue.expected] ?? 'une autre valeur'}`
    case 'too_big':
      return `${issue.maximum}${UNITS[issue.origin] ?? ''} au plus`
    case 'too_small':
      return `${issue.minimum}${UNITS[issue.origin] ?? ''} au moins`
    case 'invalid_value':
      return `Valeurs possibles : ${issue.values.join(', ')}`
    case 'invalid_format':
      return issue.format === 'guid' ? "L'identifiant n'est pas valide" : undefined
    case 'unrecognized_keys':
      // The first alone: there may be thousands.
      return `Clé inconnue : ${excerpt(issue.keys[0] ?? '', LONGEST_KEY)}`
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return 'Valeur refusée'
    default:
      return undefined
  }
}

/** Makes every schema of this process speak French (decisions « Language »). */
export const setFrenchMessages = (): void => {
  z.config({ ...z.locales.fr(), customError: sentenceOf })
}
