import type { ListedMapping, MappedTool } from '#contract/forwarding/field-mappings.ts'
import { shortenText } from '#domain/common/text.ts'
import { CONTACT_ROLES, type ContactRole, type ProviderName } from '#domain/common/vocabulary.ts'
import { type FieldType, rolesWithoutField } from '#domain/deliveries/account-fields.ts'
import {
  acceptingTypes,
  EXPECTED_VALUES,
  MAX_MAPPINGS,
  type MappedSource,
  type MappedType,
  MEASURE_LABELS,
} from '#domain/deliveries/field-mappings.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { CONTACT_ROLE_LABELS, contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { questionName } from '#domain/questionnaire/grids/question-names.ts'
import { type Draft, isSondage, type Question, type Quiz } from '#domain/questionnaire/quiz.ts'

type SampleField = MappedTool['sample'][number]
type Content = {
  quiz: Pick<Quiz, 'type'> & Partial<Pick<Quiz, 'keeps_page' | 'measure_consent'>>
  quiz_mode: Draft['quiz_mode']
  questions: readonly Question[]
  dimensions: readonly Pick<Dimension, 'id' | 'name'>[]
}

/** Value that a field can receive, as the menu offers it. */
export type SourceChoice = MappedSource & {
  /** Proposed name of the field. */
  name: string
  label: string
  types: readonly MappedType[]
  /** True if the tool receives the value already. */
  is_sent: boolean
}

const LABEL_LENGTH = 60
const list = new Intl.ListFormat('fr')

const nameOf = (questions: readonly Question[], question: Question): string =>
  questionName(questions, question).trim() || 'Sans titre'

/** Returns the contact roles that questions of the draft have. */
export const rolesOf = (questions: readonly Question[]): ContactRole[] =>
  CONTACT_ROLES.filter((role) => questions.some((question) => contactRoleOf(question) === role))

/** Returns true if two fields receive the same value. */
export const isSameSource = (source: MappedSource, other: MappedSource): boolean =>
  source.source === other.source &&
  source.question_id === other.question_id &&
  (source.dimension_id ?? null) === (other.dimension_id ?? null)

/** Lists the values that a field of a tool can receive. The address is sent anyway. */
export const sourceChoices = (
  { quiz, quiz_mode, questions, dimensions }: Content,
  provider: ProviderName,
  mappings: readonly ListedMapping[],
): SourceChoice[] => {
  const without = rolesWithoutField(provider)
  const isMapped = (source: MappedSource): boolean =>
    mappings.some((mapping) => isSameSource(mapping, source))
  const ofQuestions = questions.flatMap((question, rank): SourceChoice[] => {
    if (question.type === 'email') return []
    const source = { source: 'question', question_id: question.id } as const
    const role = contactRoleOf(question)
    const name = nameOf(questions, question)
    return [
      {
        ...source,
        name,
        label: `${rank + 1}. ${shortenText(name, LABEL_LENGTH)}`,
        types: acceptingTypes('question', question.type),
        is_sent: isMapped(source) || (role !== null && !without.includes(role)),
      },
    ]
  })
  const page = { source: 'own_page', question_id: null } as const
  const ofPage: SourceChoice[] = quiz.keeps_page
    ? [
        {
          ...page,
          name: 'Page du participant',
          label: 'Page du participant (lien)',
          types: acceptingTypes('own_page', null),
          is_sent: isMapped(page),
        },
      ]
    : []
  const ofMeasure = (['measure', 'measure_day'] as const).map((source): SourceChoice => {
    const measured = { source, question_id: null }
    const name = MEASURE_LABELS[source]
    const types = acceptingTypes(source, null)
    return { ...measured, name, label: name, types, is_sent: isMapped(measured) }
  })
  const ofParticipant = [...ofPage, ...(quiz.measure_consent ? ofMeasure : [])]
  if (isSondage(quiz)) return [...ofQuestions, ...ofParticipant]
  const score = { source: 'score', question_id: null } as const
  const result = { source: 'result', question_id: null } as const
  return [
    ...ofQuestions,
    {
      ...score,
      name: 'Score total',
      label: 'Score total',
      types: acceptingTypes('score', null),
      is_sent: isMapped(score),
    },
    {
      ...result,
      name: 'Résultat',
      label: 'Résultat',
      is_sent: true,
      types: acceptingTypes('result', null),
    },
    ...(quiz_mode === 'score' ? dimensions : []).map(({ id: dimension_id, name }): SourceChoice => {
      const source = { source: 'dimension', question_id: null, dimension_id } as const
      const title = name.trim() || 'Sans titre'
      return {
        ...source,
        name: title,
        label: `Dimension ${shortenText(title, LABEL_LENGTH)} (%)`,
        types: acceptingTypes('dimension', null),
        is_sent: isMapped(source),
      }
    }),
    ...ofParticipant,
  ]
}

/** Returns the entry of a value in the menu. Says if the value is sent already, or does not fit the field. */
export const sourceEntry = (
  { label, types, is_sent }: SourceChoice,
  field_type: MappedType | null,
): { label: string; disabled: boolean } => {
  if (field_type !== null && !types.includes(field_type))
    return { label: `${label} (ce champ attend ${EXPECTED_VALUES[field_type]})`, disabled: true }
  return { label: is_sent ? `${label} (déjà envoyé)` : label, disabled: false }
}

/** French names of the types of fields. */
export const TYPE_LABELS: Record<FieldType, string> = {
  text: 'Texte',
  number: 'Nombre',
  date: 'Date',
  boolean: 'Oui ou non',
  list: 'Liste',
}

/** Returns the text for a value of the sample contact. */
export const shownValue = ({ value }: Pick<SampleField, 'value'>): string =>
  value ?? 'reste tel quel'

const questionOrigin = (
  questions: readonly Question[],
  isMeant: (question: Question) => boolean,
): string => {
  const question = questions.find(isMeant)
  return question
    ? `coordonnée, question « ${shortenText(nameOf(questions, question), LABEL_LENGTH)} »`
    : 'coordonnée'
}

/** Returns the value of a chosen field. The sample participant answers every published question. */
const mappingOrigin = (mapping: ListedMapping | undefined, value: string | null): string => {
  const label = mapping?.source_label ?? 'valeur supprimée'
  const origin = `champ choisi : ${label.charAt(0).toLowerCase()}${label.slice(1)}`
  const isVersioned = mapping?.source === 'question' || mapping?.source === 'dimension'
  const isUnpublished = value === null && isVersioned && !mapping?.message
  return isUnpublished ? `${origin}, dès la prochaine publication` : origin
}

/** Returns the origin of a line of the sample contact. */
export const originOf = (
  { name, value, origin }: SampleField,
  questions: readonly Question[],
  mapping: ListedMapping | undefined,
): string => {
  if (origin === 'email') return questionOrigin(questions, ({ type }) => type === 'email')
  if (origin === 'result') return 'résultat du questionnaire'
  if (origin === 'parameter') return 'paramètre de l’adresse'
  if (origin === 'mapping') return mappingOrigin(mapping, value)
  const role = CONTACT_ROLES.find((candidate) => CONTACT_ROLE_LABELS[candidate] === name)
  return questionOrigin(questions, (question) => contactRoleOf(question) === role)
}

/** Returns the sentence about roles of the draft that no participant has seen yet; null if there is none. */
export const unpublishedRoles = (
  provider: ProviderName,
  roles: readonly ContactRole[],
  sample: readonly SampleField[],
): string | null => {
  const without = rolesWithoutField(provider)
  const names = roles
    .filter((role) => !without.includes(role))
    .map((role) => CONTACT_ROLE_LABELS[role])
    .filter((name) => !sample.some((field) => field.origin === 'role' && field.name === name))
  return names.length === 0
    ? null
    : `Dès la prochaine publication, ${PROVIDER_LABELS[provider]} reçoit aussi : ${list.format(names)}.`
}

/** Returns the sentence about roles that the tool has no field for; null if there is none. */
export const rolesToAdd = (
  provider: ProviderName,
  roles: readonly ContactRole[],
  isMapped: (role: ContactRole) => boolean,
): string | null => {
  const names = rolesWithoutField(provider)
    .filter((role) => roles.includes(role) && !isMapped(role))
    .map((role) => CONTACT_ROLE_LABELS[role])
  return names.length === 0
    ? null
    : `${PROVIDER_LABELS[provider]} n’a pas de champ prévu pour : ${list.format(names)}. « Ajouter un champ » en crée un.`
}

/** Returns the sentence about the consent and about phone numbers without a country. */
export const consentSentence = (roles: readonly ContactRole[]): string =>
  roles.includes('phone')
    ? 'Rien n’est envoyé sans l’accord du participant, et un numéro sans indicatif est lu avec le pays de votre compte.'
    : 'Rien n’est envoyé sans l’accord du participant.'

/** Returns how many fields are chosen, and how many can be. */
export const countSentence = (provider: ProviderName, count: number): string =>
  count >= MAX_MAPPINGS
    ? `Les ${MAX_MAPPINGS} champs possibles dans ${PROVIDER_LABELS[provider]} sont choisis : supprimez-en un pour en ajouter un autre.`
    : `${count} ${count > 1 ? 'champs choisis' : 'champ choisi'} sur ${MAX_MAPPINGS} au plus.`

/** Returns how many fields of the account are shown. */
export const fieldCount = (count: number): string => {
  if (count === 0) return 'Aucun champ de votre compte ne correspond.'
  return count === 1 ? '1 champ de votre compte' : `${count} champs de votre compte`
}
