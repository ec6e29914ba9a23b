import type { ChangedPart, VersionChanges } from '#domain/publishing/version-changes.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import { formatNumber } from '#web/statistics/format/format.ts'

type CountedItems =
  | 'questions'
  | 'answers'
  | 'text_blocks'
  | 'results'
  | 'dimensions'
  | 'text_variants'

const NOUNS: Record<CountedItems, { one: string; many: string; feminine: '' | 'e' }> = {
  questions: { one: 'question', many: 'questions', feminine: 'e' },
  answers: { one: 'réponse', many: 'réponses', feminine: 'e' },
  text_blocks: { one: 'bloc de texte', many: 'blocs de texte', feminine: '' },
  results: { one: 'résultat', many: 'résultats', feminine: '' },
  dimensions: { one: 'dimension', many: 'dimensions', feminine: 'e' },
  text_variants: { one: 'texte conditionnel', many: 'textes conditionnels', feminine: '' },
}
const VERBS = { added: 'ajouté', removed: 'retiré', changed: 'modifié' }

const PARTS: Record<ChangedPart, string> = {
  name: 'nom changé',
  type: 'type changé',
  mode: 'mode de calcul changé',
  ties: 'règle d’égalité changée',
  welcome: 'accueil modifié',
  end: 'fin modifiée',
  look: 'apparence modifiée',
  ending: 'page de résultat modifiée',
  corrections: 'moment des corrections changé',
  wording: 'mots des boutons changés',
  auto_advance: 'avance automatique changée',
  report: 'rapport ou attestation modifiés',
  items_order: 'ordre des questions changé',
  pages: 'répartition en pages changée',
  answers_order: 'ordre des réponses changé',
  results_order: 'ordre des résultats changé',
  dimension_questions: 'questions des dimensions changées',
  dimensions_order: 'ordre des dimensions changé',
  dimension_chart: 'graphique des dimensions changé',
  dimension_rule: 'calcul des dimensions changé : seules les questions répondues comptent',
  text_variants_order: 'ordre des textes conditionnels changé',
}

const list = new Intl.ListFormat('fr')
const MAX_NAMED = 3

/**
 * Returns the changes of a version as French texts, such as '2 questions ajoutées' or 'palier de « X »
 * changé'.
 */
export const versionChangeLabels = (changes: VersionChanges): string[] => [
  ...(Object.keys(NOUNS) as CountedItems[]).flatMap((kind) => countWords(kind, changes[kind])),
  ...tierWords(changes.tiers, { one: '1 autre résultat', many: 'autres résultats' }),
  ...tierWords(changes.dimension_tiers, { one: '1 autre dimension', many: 'autres dimensions' }),
  ...roleWords(changes.contact_roles),
  ...changes.parts.map((part) => PARTS[part]),
]

const countWords = (kind: CountedItems, counts: VersionChanges[CountedItems]): string[] => {
  const { one, many, feminine } = NOUNS[kind]
  return (['added', 'removed', 'changed'] as const).flatMap((change) => {
    const count = counts[change]
    if (count === 0) return []
    const [noun, plural] = count > 1 ? [many, 's'] : [one, '']
    return `${formatNumber(count)} ${noun} ${VERBS[change]}${feminine}${plural}`
  })
}

const tierWords = (names: readonly string[], more: { one: string; many: string }): string[] => {
  if (names.length === 0) return []
  const quoted = names.slice(0, MAX_NAMED).map((name) => `« ${name} »`)
  const others = names.length - quoted.length
  if (others > 0) quoted.push(others > 1 ? `${others} ${more.many}` : more.one)
  return names.length > 1
    ? [`paliers de ${list.format(quoted)} changés`]
    : [`palier de ${list.format(quoted)} changé`]
}

const roleWords = (roles: VersionChanges['contact_roles']): string[] => {
  if (roles.length === 0) return []
  const named = list.format(roles.map((role) => `« ${CONTACT_ROLE_LABELS[role]} »`))
  return [roles.length > 1 ? `coordonnées ${named} changées` : `coordonnée ${named} changée`]
}

/** Returns the text shown after a version was restored into the draft. */
export const restoredText = (version: number): string =>
  `Version ${version} restaurée dans le brouillon`

/** Returns the text shown if the draft already has the content of a version. */
export const unchangedVersionText = (version: number): string =>
  `Le brouillon a déjà le contenu de la version ${version}.`

/** Returns the text about pictures of a version that no longer exist. */
export const missingImagesText = (count: number): string =>
  count > 1
    ? `${count} images de cette version n’existent plus : leur place est vide dans le brouillon.`
    : 'Une image de cette version n’existe plus : sa place est vide dans le brouillon.'
