import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { GridQuestion } from '#domain/questionnaire/grids/grids.ts'
import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { chosenAnswers } from '#domain/run/replies.ts'
import { type DimensionPercents, readDimensions } from '#domain/run/stored-dimensions.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import { type LabelKind, labelAction } from './enrolment-kinds.ts'
import { PROVIDER_LABELS } from './integrations.ts'

/** Tag or enrolment of a contact, or list at Brevo. */
export type Label = {
  name: string
  /** Id of an existing label at the tool. Null means the tag or list with this name, created if it is missing. */
  vendor_id: string | null
  /** Null means a tag, or a list at Brevo. */
  kind: LabelKind | null
}

/** Ids of a subject that is no tier of a dimension. */
type NoTier = { dimension_id?: null; tier_id?: null }

/** Participants that get a label: those with a result, an answer or a tier of a dimension. */
export type AutomationSubject =
  | ({ result_id: string; question_id: null; answer_id: null } & NoTier)
  | ({ result_id: null; question_id: string; answer_id: string } & NoTier)
  | {
      result_id: null
      question_id: null
      answer_id: null
      dimension_id: string
      tier_id: string
    }

/** Rule of a quiz: participants with the subject get the label at the tool. */
export type AutomationRule = AutomationSubject & {
  provider: ProviderName
  label_name: string
  /** Null means a tag, or a list at Brevo. */
  label_kind: LabelKind | null
  /** Id of a picked label. Null for another kind than tags and lists if the connected account was replaced. */
  vendor_id: string | null
}

/** Returns the label that a rule gives. */
export const labelOf = ({
  label_name: name,
  label_kind: kind,
  vendor_id,
}: Pick<AutomationRule, 'label_name' | 'label_kind' | 'vendor_id'>): Label => ({
  name,
  vendor_id,
  kind,
})

/** Result, chosen answers and tiers of a participant, which decide the labels. */
export type AutomationInput = {
  result_id: string | null
  answer_ids: ReadonlySet<string>
  tier_ids: ReadonlySet<string>
}

/**
 * Returns the result, the chosen answers and the tiers of a stored participant, by the version that they took. Ids are
 * equal in all versions.
 */
export const automationInputOf = (
  { questions, results, dimensions }: Pick<Snapshot, 'questions' | 'results' | 'dimensions'>,
  {
    result_position,
    dimension_percents,
    ...stored
  }: StoredReplies & {
    result_position: number | null
    dimension_percents: DimensionPercents | null
  },
): AutomationInput => {
  const replies = unpackReplies({ questions }, stored)
  const chosen = questions.flatMap((question) => chosenAnswers(question, replies))
  const result = result_position === null ? undefined : results[result_position]
  const shown = readDimensions({ dimensions }, dimension_percents)
  return {
    result_id: result?.id ?? null,
    answer_ids: new Set(chosen.map(({ id }) => id)),
    tier_ids: new Set(shown.flatMap(({ tier_id }) => tier_id ?? [])),
  }
}

const matches = (
  rule: AutomationSubject,
  { result_id, answer_ids, tier_ids }: AutomationInput,
): boolean => {
  if (rule.tier_id) return tier_ids.has(rule.tier_id)
  return rule.answer_id === null ? rule.result_id === result_id : answer_ids.has(rule.answer_id)
}

const hasName = (label: { name: string }, name: string): boolean =>
  label.name.toLowerCase() === name.toLowerCase()

const isNamesake = (label: Label, other: Label): boolean =>
  label.kind === other.kind && hasName(label, other.name)

/**
 * Returns the labels of a participant at the tool of these rules, first the tag of the result. Each label appears
 * once: a name means a picked label with that name if there is one. Several picked labels with one name all count,
 * because a Brevo account can have them.
 */
export const tagsOf = (
  participant: AutomationInput,
  rules: readonly AutomationRule[],
  result_tag: string | null,
): Label[] => {
  const wanted = [
    ...(result_tag === null ? [] : [{ name: result_tag, vendor_id: null, kind: null }]),
    ...rules.filter((rule) => matches(rule, participant)).map(labelOf),
  ]
  const isDuplicate = (label: Label, at: number): boolean =>
    label.vendor_id === null
      ? wanted.some(
          (other, place) => isNamesake(other, label) && (other.vendor_id !== null || place < at),
        )
      : wanted
          .slice(0, at)
          .some(({ vendor_id, kind }) => vendor_id === label.vendor_id && kind === label.kind)
  return wanted.filter((label, at) => !isDuplicate(label, at))
}

type NumberedLabel = Pick<Label, 'name' | 'vendor_id'>

/** Returns the name of a label, with its number if another label of its kind has the same name. */
export const formatLabel = (
  { name, vendor_id }: NumberedLabel,
  ofKind: readonly NumberedLabel[],
): string =>
  vendor_id !== null &&
  ofKind.some((other) => hasName(other, name) && other.vendor_id !== vendor_id)
    ? `${name} (n° ${vendor_id})`
    : name

/**
 * Returns the label of an account that was typed. 'several' means an ambiguous name; undefined means no label has it.
 */
export const findLabel = <L extends NumberedLabel>(
  typed: string,
  labels: readonly L[],
): L | 'several' | undefined => {
  const found = labels.find((label) => hasName({ name: formatLabel(label, labels) }, typed))
  return found ?? (labels.some((label) => hasName(label, typed)) ? 'several' : undefined)
}

type RuleSubjects = {
  results: readonly { id: string; name: string }[]
  questions: readonly (Omit<GridQuestion, 'answers'> & {
    id: string
    text: string
    answers: readonly (GridQuestion['answers'][number] & { id: string })[]
  })[]
  dimensions?:
    | readonly { id: string; name: string; tiers: readonly { id: string; title: string }[] }[]
    | undefined
}

/** Names of the subject of a rule. */
type SubjectLabels =
  | { kind: 'result'; result: string }
  | { kind: 'answer'; question: string; answer: string }
  | { kind: 'tier'; dimension: string; tier: string }

/** Returns the names of the subject of a rule in a draft or version; undefined if it lacks the subject. */
export const describeSubject = (
  rule: AutomationSubject,
  { results, questions, dimensions = [] }: RuleSubjects,
): SubjectLabels | undefined => {
  if (rule.tier_id) {
    const dimension = dimensions.find(({ id }) => id === rule.dimension_id)
    const tier = dimension?.tiers.find(({ id }) => id === rule.tier_id)
    return dimension && tier && { kind: 'tier', dimension: dimension.name, tier: tier.title }
  }
  if (rule.answer_id === null) {
    const result = results.find(({ id }) => id === rule.result_id)
    return result && { kind: 'result', result: result.name }
  }
  const question = questions.find(({ id }) => id === rule.question_id)
  const answer = question?.answers.find(({ id }) => id === rule.answer_id)
  return (
    question &&
    answer && { kind: 'answer', question: questionText(questions, question), answer: answer.text }
  )
}

/** Returns the French condition of a rule whose subject was deleted. */
const deletedCondition = ({
  answer_id,
  tier_id,
}: Pick<AutomationRule, 'answer_id' | 'tier_id'>): string => {
  if (tier_id) return 'le palier, supprimé depuis, est atteint'
  return answer_id === null
    ? 'le résultat, supprimé depuis, est obtenu'
    : 'la réponse, supprimée depuis, est choisie'
}

/** Returns the French condition of a rule. */
const conditionOf = (words: SubjectLabels): string => {
  if (words.kind === 'result') return `le résultat est « ${words.result} »`
  return words.kind === 'tier'
    ? `« ${words.dimension} » est « ${words.tier} »`
    : `la réponse à « ${words.question} » est « ${words.answer} »`
}

/** Returns a rule as a French sentence: condition and action. */
export const automationSentence = (
  words: SubjectLabels | null,
  rule: Pick<AutomationRule, 'provider' | 'label_name' | 'label_kind' | 'answer_id' | 'tier_id'>,
): string => {
  const { provider, label_name, label_kind } = rule
  const done = `${labelAction(provider, label_kind)} « ${label_name} » dans ${PROVIDER_LABELS[provider]}`
  return `Quand ${words === null ? deletedCondition(rule) : conditionOf(words)}, ${done}`
}
