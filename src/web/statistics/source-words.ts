import { UTM_NAMES } from '#domain/parameters.ts'

const WORDS: Record<(typeof UTM_NAMES)[number], string> = {
  utm_source: 'Source',
  utm_medium: 'Support',
  utm_campaign: 'Campagne',
  utm_term: 'Mot-clé',
  utm_content: 'Contenu',
}

/** A parameter as a heading: what it tells, where that is known, and its name in addresses. */
export const parameterTitle = (name: string): string => {
  const known = UTM_NAMES.find((utm) => utm === name)
  return known ? `${WORDS[known]} (${name})` : name
}
