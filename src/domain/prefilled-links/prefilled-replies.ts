import { cleanEmail, isMailable } from '#domain/common/addresses.ts'
import { comparableText } from '#domain/common/comparable-text.ts'
import { asksForBirthday, isDay, isPossibleDay, withFullYear } from '#domain/common/days.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { oneLine } from '#domain/common/one-line.ts'
import { MAX_PHONE_LENGTH } from '#domain/common/phone-numbers.ts'
import { readNumber } from '#domain/common/read-number.ts'
import { isBlankText } from '#domain/common/text.ts'
import {
  MAX_EMAIL_LENGTH,
  MAX_TYPED_ANSWER_LENGTH,
  type QuestionType,
} from '#domain/common/vocabulary.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { Replies, Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { PHONE_PATTERN } from '#domain/run/field-formats.ts'
import { canChooseSeveral, OTHER, replyFault } from '#domain/run/replies.ts'
import { insertionKey } from '#domain/run/rich-text.ts'
import type { PrefilledRole, PrefilledTarget } from './link-parameters.ts'
import { decodeLinkValue, isMergeTag, type LinkValue } from './read-link.ts'

/** Replies that the values of a prefilled link fill in. */

/** Separator of several choices in a value. */
export const CHOICE_SEPARATOR = '|'

type Value = { text: string; this_year: number }
/** Returns the reply of a value; undefined for a value that the question does not accept. */
type ReadReply = (question: SnapshotQuestion, value: Value) => Reply | undefined

const LINE_END = /\r\n?|\n/

const readDay = (question: SnapshotQuestion, { text, this_year }: Value): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d\d?)-(\d\d?)(?:T[\d:.]+Z?)?$/.exec(text) ?? []
  const [, last, before, first] = /^(\d\d?)[-/. ](\d\d?)[-/. ](\d{4}|\d\d)$/.exec(text) ?? []
  const parts = year ? [year, month, date] : [first, before, last]
  const [y = '', m = '', d = ''] = parts
  const typed = `${y.padStart(4, '0')}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  if (!isDay(typed) && !typed.startsWith('00')) return undefined
  const day = withFullYear(typed, { is_birthday: asksForBirthday(question.text), this_year })
  return isDay(day) && isPossibleDay(day) ? day : undefined
}

const PHONE = new RegExp(`^(?:${PHONE_PATTERN})$`)

/** Returns the part of a reply that chooses an answer, by its words or else by its number. */
const createReadChoice = ({ answers, has_other }: SnapshotQuestion) => {
  const by_words = new Map<string, string | null>()
  for (const { id, text } of answers) {
    const key = comparableText(text)
    // Words that two answers share choose neither.
    by_words.set(key, by_words.has(key) ? null : id)
  }
  const exact = new Map(answers.map(({ id, text }) => [normalizeText(oneLine(text)), id]))
  return (typed: string): string | undefined => {
    const words = oneLine(typed)
    const id = exact.get(normalizeText(words)) ?? by_words.get(comparableText(words))
    if (id) return id
    const [, other] = (has_other && /^autre\s?:(.*)$/isu.exec(words)) || []
    if (other !== undefined && !isBlankText(other)) return OTHER + normalizeText(other.trim())
    return /^\d{1,4}$/.test(words) ? answers[Number(words) - 1]?.id : undefined
  }
}

const readChoices: ReadReply = (question, { text }) => {
  const isSeveral = canChooseSeveral(question)
  const typed = isSeveral ? text.split(CHOICE_SEPARATOR, MAX_TYPED_CHOICES) : [text]
  const readChoice = createReadChoice(question)
  const parts = [...new Set(typed.flatMap((part) => readChoice(part) ?? []))]
  return parts.length > 1 ? parts : parts[0]
}

/** Maximum number of choices that are read from a value. */
const MAX_TYPED_CHOICES = 200

/** How the value of each type of question becomes a reply. */
const READERS: Record<QuestionType, ReadReply> = {
  multiple_choice: readChoices,
  scale: (_, { text }) => (/^\d{1,2}$/.test(text) ? `${Number(text)}` : undefined),
  number: (_, { text }) => readNumber(text)?.toString(),
  date: readDay,
  email: (_, { text }) => {
    const email = cleanEmail(text)
    return email.length <= MAX_EMAIL_LENGTH && isMailable(email) ? email : undefined
  },
  phone: (_, { text }) =>
    text.length <= MAX_PHONE_LENGTH && PHONE.test(text) ? oneLine(text) : undefined,
  text: (_, { text }) => normalizeText(oneLine(text)),
  textarea: (_, { text }) => normalizeText(text.split(LINE_END).map(oneLine).join('\n').trim()),
}

const replyOf = (
  question: SnapshotQuestion,
  { escaped }: LinkValue,
  this_year: number,
): Reply | undefined => {
  const text = decodeLinkValue(escaped)
  // Checked before any other reading, because a link may be as long as an address can be.
  if (isBlankText(text) || text.length > MAX_TYPED_ANSWER_LENGTH) return undefined
  const isChosen = question.type === 'multiple_choice'
  if (!isChosen && isMergeTag(escaped, text)) return undefined
  const reply = READERS[question.type](question, { text, this_year })
  if (reply === undefined || isBlankText([reply].flat().join(''))) return undefined
  return replyFault(question, { [question.id]: reply }) ? undefined : reply
}

/** Returns a function that finds the question of a parameter in the version that is shown. */
const createFindQuestion = (questions: readonly SnapshotQuestion[]) => {
  const by_name = new Map<string, SnapshotQuestion>()
  for (const question of questions) {
    const key = insertionKey(question.label ?? '')
    if (key !== '' && !by_name.has(key)) by_name.set(key, question)
  }
  const by_role = new Map<PrefilledRole, SnapshotQuestion>()
  for (const question of questions.toReversed()) {
    const role = question.type === 'email' ? 'email' : contactRoleOf(question)
    // The first question of a role gives the contact data (product 8.9).
    if (role) by_role.set(role, question)
  }
  return (target: PrefilledTarget): SnapshotQuestion | undefined => {
    if ('role' in target) return by_role.get(target.role)
    const name = oneLine(target.name)
    return isQuestionNumber(name) ? questions[Number(name) - 1] : by_name.get(insertionKey(name))
  }
}

/** Returns true if a name is the number of a question, also if a question has this short name. */
export const isQuestionNumber = (name: string): boolean => /^\d{1,4}$/.test(name)

/**
 * Returns the replies that the values of a link fill in. Blank values, merge tags and values that the question does not
 * accept are ignored. The last of several values for a question counts. `questions` must be in their order.
 */
export const prefilledReplies = (
  questions: readonly SnapshotQuestion[],
  values: readonly LinkValue[],
  this_year: number,
): Replies => {
  const findQuestion = createFindQuestion(questions)
  const last_values = new Map<SnapshotQuestion, LinkValue>()
  for (const value of values) {
    const question = findQuestion(value.target)
    if (question) last_values.set(question, value)
  }
  return Object.fromEntries(
    [...last_values].flatMap(([question, value]) => {
      const reply = replyOf(question, value, this_year)
      return reply === undefined ? [] : [[question.id, reply] as const]
    }),
  )
}
