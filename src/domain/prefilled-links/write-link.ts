import type { ProviderName } from '#domain/common/vocabulary.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { insertionKey } from '#domain/run/rich-text.ts'
import { type PrefilledRole, QUESTION_PREFIX, ROLE_PARAMETERS } from './link-parameters.ts'
import { isQuestionNumber, prefilledReplies } from './prefilled-replies.ts'
import { splitQuery } from './read-link.ts'

/** Prefilled links as creators paste them into mails. */

/**
 * Merge tags of the email tools, as they stand in a link. They have no spaces, because editors of mails escape a space
 * of a link, and the tool would no longer know its tag.
 */
export const MERGE_TAGS: Record<ProviderName, Partial<Record<PrefilledRole, string>>> = {
  convertkit: { first_name: '{{subscriber.first_name}}', email: '{{subscriber.email_address}}' },
  systemio: {
    first_name: '{first_name}',
    last_name: '{surname}',
    email: '{email}',
    phone: '{phone_number}',
  },
  brevo: {
    first_name: '{{contact.PRENOM}}',
    last_name: '{{contact.NOM}}',
    email: '{{contact.EMAIL}}',
    phone: '{{contact.SMS}}',
  },
}

/** Values in place of the merge tags, with which a creator tries a link. */
export const SAMPLE_PERSON: Record<PrefilledRole, string> = {
  first_name: 'Camille',
  last_name: 'Martin',
  email: 'camille.martin@exemple.fr',
  phone: '06 12 34 56 78',
}

/** Returns the roles that some question has, in the order of the questions. */
export const rolesOf = (questions: readonly SnapshotQuestion[]): PrefilledRole[] => [
  ...new Set(
    questions.flatMap(
      (question) => (question.type === 'email' ? 'email' : contactRoleOf(question)) ?? [],
    ),
  ),
]

/**
 * Returns the parameter of a question: its short name, or else its number in the version. A short name that looks like a
 * number is not used, because it would be read as one.
 */
export const parameterOf = (
  questions: readonly SnapshotQuestion[],
  question: SnapshotQuestion,
): string => {
  const label = question.label?.trim() ?? ''
  const key = insertionKey(label)
  const isUsable =
    key !== '' &&
    !isQuestionNumber(label) &&
    questions.find((other) => insertionKey(other.label ?? '') === key) === question
  return `${QUESTION_PREFIX}${isUsable ? label : questions.indexOf(question) + 1}`
}

/** Maximum length of words in a link; longer answers are named by their number. */
const MAX_WORDS_LENGTH = 60

/**
 * Returns the value that chooses an answer: its words, which fail rather than choose another answer after an update, or
 * else its number; '' if both mean other answers.
 */
export const choiceValue = (question: SnapshotQuestion, answer: SnapshotAnswer): string => {
  const number = `${question.answers.indexOf(answer) + 1}`
  const values = answer.text.length > MAX_WORDS_LENGTH ? [number] : [answer.text, number]
  const isUnderstood = (value: string): boolean => {
    const { values: read } = splitQuery(`${QUESTION_PREFIX}1=${encodeURIComponent(value)}`)
    return prefilledReplies([question], read, 0)[question.id] === answer.id
  }
  return values.find(isUnderstood) ?? ''
}

/** Values that a link fills in. */
export type LinkContent = {
  /** Values that are inserted for each person, by role: merge tags, or those of a sample person. */
  person: Partial<Record<PrefilledRole, string>>
  /** Values that the creator chose, by the id of their question. */
  chosen: Readonly<Record<string, string>>
}

/** Value of a parameter; a merge tag is not escaped. */
type Pair = { name: string; value: string; is_tag?: boolean }

const pairsOf = (questions: readonly SnapshotQuestion[], content: LinkContent): Pair[] => [
  ...rolesOf(questions).flatMap((role): Pair[] => {
    const value = content.person[role]
    return value ? [{ name: ROLE_PARAMETERS[role], value, is_tag: /^\{/.test(value) }] : []
  }),
  ...questions.flatMap((question): Pair[] => {
    const value = content.chosen[question.id]
    return value ? [{ name: parameterOf(questions, question), value }] : []
  }),
]

/** Returns a link with its values. `link` may have a query. */
export const writePrefilledLink = (
  link: string,
  questions: readonly SnapshotQuestion[],
  content: LinkContent,
): string => {
  const query = pairsOf(questions, content).map(
    ({ name, value, is_tag }) =>
      `${encodeURIComponent(name)}=${is_tag ? value : encodeURIComponent(value)}`,
  )
  if (query.length === 0) return link
  return `${link}${link.includes('?') ? '&' : '?'}${query.join('&')}`
}
