import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { chosenAnswers } from '#domain/run/replies.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import { PROVIDER_LABELS } from './integrations.ts'

/** A tag; at Brevo a list. */
export type Label = {
  name: string
  /** Of one that was picked from the account's own; null: the one of this name, made where there is none. */
  vendor_id: string | null
}

/** Who gets a label: those with a result, or those who chose an answer. */
export type AutomationSubject =
  | { result_id: string; question_id: null; answer_id: null }
  | { result_id: null; question_id: string; answer_id: string }

/** A rule of a quiz: for those participants this label at that tool. */
export type AutomationRule = AutomationSubject & {
  provider: ProviderName
  label_name: string
  vendor_id: string | null
}

/** What of a participant decides over their labels. */
export type AutomationInput = { result_id: string | null; answer_ids: ReadonlySet<string> }

/** The same of a stored participant, by the version that they took: ids are those of every version. */
export const takenOf = (
  { questions, results }: Pick<Snapshot, 'questions' | 'results'>,
  { result_position, ...stored }: StoredReplies & { result_position: number | null },
): AutomationInput => {
  const replies = unpackReplies({ questions }, stored)
  const chosen = questions.flatMap((question) => chosenAnswers(question, replies))
  const result = result_position === null ? undefined : results[result_position]
  return { result_id: result?.id ?? null, answer_ids: new Set(chosen.map(({ id }) => id)) }
}

const holds = (rule: AutomationSubject, { result_id, answer_ids }: AutomationInput): boolean =>
  rule.answer_id === null ? rule.result_id === result_id : answer_ids.has(rule.answer_id)

const isOfName = (label: { name: string }, name: string): boolean =>
  label.name.toLowerCase() === name.toLowerCase()

/**
 * The labels of a participant at the tool that these rules are for, each once, in the order of the rules; before them the tag named after
 * their result, where the quiz gives it. A name alone is that of the one that was picked at the tool, which is known to be
 * there; of two that were picked each is meant, as an account of Brevo may have two lists of one name.
 */
export const labelsOf = (
  taken: AutomationInput,
  rules: readonly AutomationRule[],
  result_tag: string | null,
): Label[] => {
  const wanted = [
    ...(result_tag === null ? [] : [{ name: result_tag, vendor_id: null }]),
    ...rules
      .filter((rule) => holds(rule, taken))
      .map(({ label_name, vendor_id }) => ({ name: label_name, vendor_id })),
  ]
  const isSaid = (label: Label, at: number): boolean =>
    label.vendor_id === null
      ? wanted.some(
          (other, place) => isOfName(other, label.name) && (other.vendor_id !== null || place < at),
        )
      : wanted.slice(0, at).some(({ vendor_id }) => vendor_id === label.vendor_id)
  return wanted.filter((label, at) => !isSaid(label, at))
}

/** A label in words: its name, and its number where another of these has the same name. */
export const formatLabel = ({ name, vendor_id }: Label, labels: readonly Label[]): string =>
  vendor_id !== null && labels.some((one) => isOfName(one, name) && one.vendor_id !== vendor_id)
    ? `${name} (n° ${vendor_id})`
    : name

/** Which label of an account was typed, by its words; `several` where they have that name, undefined where none has. */
export const findLabel = <L extends Label>(
  typed: string,
  labels: readonly L[],
): L | 'several' | undefined => {
  const found = labels.find((one) => isOfName({ name: formatLabel(one, labels) }, typed))
  return found ?? (labels.some((one) => isOfName(one, typed)) ? 'several' : undefined)
}

type Named = {
  results: readonly { id: string; name: string }[]
  questions: readonly {
    id: string
    text: string
    answers: readonly { id: string; text: string }[]
  }[]
}

/** What a rule is about, in the words of a draft or a version; undefined when that has not got it. */
export const describeSubject = (rule: AutomationSubject, { results, questions }: Named) => {
  if (rule.answer_id === null) {
    const result = results.find(({ id }) => id === rule.result_id)
    return result && { result: result.name, question: null, answer: null }
  }
  const question = questions.find(({ id }) => id === rule.question_id)
  const answer = question?.answers.find(({ id }) => id === rule.answer_id)
  return question && answer && { result: null, question: question.text, answer: answer.text }
}

/** What a label is called at a tool: a tag, at Brevo a list. */
export const labelNoun = (provider: ProviderName): 'tag' | 'liste' =>
  provider === 'brevo' ? 'liste' : 'tag'

/** A rule in a sentence: of what, and what is then done. */
export const automationSentence = (
  words: NonNullable<ReturnType<typeof describeSubject>> | null,
  {
    provider,
    label_name,
    answer_id,
  }: Pick<AutomationRule, 'provider' | 'label_name' | 'answer_id'>,
): string => {
  const done =
    labelNoun(provider) === 'liste'
      ? `ajouter à la liste « ${label_name} » dans ${PROVIDER_LABELS[provider]}`
      : `ajouter le tag « ${label_name} » dans ${PROVIDER_LABELS[provider]}`
  if (words === null)
    return `Quand ${answer_id === null ? 'le résultat, supprimé depuis, est obtenu' : 'la réponse, supprimée depuis, est choisie'}, ${done}`
  if (words.result !== null) return `Quand le résultat est « ${words.result} », ${done}`
  return `Quand la réponse à « ${words.question} » est « ${words.answer} », ${done}`
}
