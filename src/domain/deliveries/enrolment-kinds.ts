import type { ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from './integrations.ts'

/** Kinds of labels besides tags and lists. Such labels exist at the tool and are never created by name. */
export const LABEL_KINDS = ['course', 'community', 'sequence', 'form'] as const
/** Kind of a label besides a tag or a list. */
export type LabelKind = (typeof LABEL_KINDS)[number]

/** Kinds that the API of each tool offers besides its tags or lists. */
export const KINDS_OF_TOOL = {
  convertkit: ['sequence', 'form'],
  systemio: ['course', 'community'],
  brevo: [],
} as const satisfies Record<ProviderName, readonly LabelKind[]>

/** Course, community, sequence or form that a contact joined. */
export type Enrolment = { kind: LabelKind; name: string; vendor_id: string | null }

/**
 * Reason why a contact was not enrolled. `plan`: the account lacks the feature. `unpicked`: the connected account was
 * replaced, and the creator has not picked again.
 */
export type EnrolmentRefusal = 'missing' | 'plan' | 'refused' | 'unpicked'

/** Enrolment that was left out, with its reason. */
export type RefusedEnrolment = Enrolment & { code: EnrolmentRefusal }

const NOUNS: Record<LabelKind, { noun: string; is_feminine?: true }> = {
  course: { noun: 'cours' },
  community: { noun: 'communauté', is_feminine: true },
  sequence: { noun: 'séquence', is_feminine: true },
  form: { noun: 'formulaire' },
}

const toolOf = (kind: LabelKind): ProviderName =>
  kind === 'course' || kind === 'community' ? 'systemio' : 'convertkit'

/** Returns the French noun for a label: a tag, a list at Brevo, or the noun of its kind. */
export const labelNoun = (provider: ProviderName, kind: LabelKind | null = null): string => {
  if (kind !== null) return NOUNS[kind].noun
  return provider === 'brevo' ? 'liste' : 'tag'
}

/** Returns the French noun for several labels. */
export const labelNouns = (provider: ProviderName, kind: LabelKind | null = null): string =>
  labelNoun(provider, kind).replace(/[^s]$/, '$&s')

/** Returns true if the French noun for a label is feminine. */
export const isFeminineLabel = (provider: ProviderName, kind: LabelKind | null): boolean =>
  kind === null ? provider === 'brevo' : NOUNS[kind].is_feminine === true

/** Returns the French noun with the article that follows `à`: « au cours », « à la liste ». */
const toNoun = (provider: ProviderName, kind: LabelKind | null): string =>
  `${isFeminineLabel(provider, kind) ? 'à la' : 'au'} ${labelNoun(provider, kind)}`

/** Returns what a rule does with a label, as a French infinitive without the name. */
export const labelAction = (provider: ProviderName, kind: LabelKind | null): string => {
  if (kind === 'course') return `inscrire ${toNoun(provider, kind)}`
  return kind === null && provider !== 'brevo'
    ? 'ajouter le tag'
    : `ajouter ${toNoun(provider, kind)}`
}

/** Returns the French sentence about an account whose plan lacks a kind of labels. */
export const missingFeatureSentence = (kind: LabelKind): string =>
  `Votre offre ${PROVIDER_LABELS[toolOf(kind)]} ne comprend pas les ${labelNouns(toolOf(kind), kind)}.`

const refusalReason = ({ kind, code }: RefusedEnrolment): string => {
  const { noun, is_feminine } = NOUNS[kind]
  const the_noun = `${is_feminine ? 'la' : 'le'} ${noun}`
  const tool = PROVIDER_LABELS[toolOf(kind)]
  if (code === 'missing') return `${the_noun} n’existe plus.`
  if (code === 'plan') return missingFeatureSentence(kind).replace(/^V/, 'v')
  if (code === 'unpicked') return `le compte connecté a changé, choisissez de nouveau ${the_noun}.`
  if (kind === 'course') return `${tool} l’a refusée.`
  const why = kind === 'community' ? 'pleine' : `archivé${is_feminine ? 'e' : ''}`
  return `${tool} l’a refusé, ${the_noun} est peut-être ${why}.`
}

/** Returns the French sentence about an enrolment that was left out, with its kind and the reason. */
export const refusedEnrolmentSentence = (refused: RefusedEnrolment): string => {
  const { kind, name } = refused
  const what = kind === 'course' ? 'l’inscription' : 'l’ajout'
  return `Envoyé sans ${what} ${toNoun(toolOf(kind), kind)} « ${name} » : ${refusalReason(refused)}`
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the labels that a delivery applied in French, by kind: « Tags : A, B · Cours : C ». */
export const describeLabels = (
  provider: ProviderName,
  labels: readonly string[],
  enrolments: readonly { kind: LabelKind; name: string }[],
): string => {
  const groups = [null, ...LABEL_KINDS].map((kind) => ({
    kind,
    names:
      kind === null
        ? labels
        : enrolments.filter((enrolment) => enrolment.kind === kind).map(({ name }) => name),
  }))
  return groups
    .filter(({ names }) => names.length > 0)
    .map(({ kind, names }) => {
      const noun = (names.length > 1 ? labelNouns : labelNoun)(provider, kind)
      return `${capitalize(noun)} : ${names.join(', ')}`
    })
    .join(' · ')
}
