import { cleanEmail, isMailable } from '#domain/common/addresses.ts'
import { isBlankText, isPrintableAscii } from '#domain/common/text.ts'
import { MAX_OTHER_TEXT_LENGTH } from '#domain/common/vocabulary.ts'
import { isChoice, type Replies, type Reply, SCALE_DEFAULTS } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** What a part of a reply begins with that chose « Autre… »; the visitor's text follows. */
export const OTHER = 'other:'
/** What the last choice of a question is called that takes a text of the visitor's. */
export const OTHER_NAME = 'Autre'

/** The reply to a question, '' when none; ids such as `__proto__` are only ids. */
export const replyTo = (replies: Replies, question_id: string): Reply =>
  Object.hasOwn(replies, question_id) ? (replies[question_id] ?? '') : ''

/** What is typed beside « Autre… », trimmed; undefined of any other part of a reply. */
export const otherText = (part: string): string | undefined =>
  part.startsWith(OTHER) ? part.slice(OTHER.length).trim() : undefined

/** The parts of the reply to a question that say something, as given: several where several answers are chosen. */
export const partsOf = (
  replies: Replies,
  question: Pick<SnapshotQuestion, 'id' | 'type'>,
): string[] => {
  const reply = replyTo(replies, question.id)
  if (typeof reply !== 'string') return reply.filter((part) => saysSomething(part, question))
  return saysSomething(reply, question) ? [reply] : []
}

const saysSomething = (part: string, question: Pick<SnapshotQuestion, 'type'>): boolean =>
  !isBlankText((isChoice(question) ? otherText(part) : undefined) ?? part)

/** The chosen answers of a question, in the order of its answers; « Autre… » is none of them. */
export const chosenAnswers = (question: SnapshotQuestion, replies: Replies): SnapshotAnswer[] => {
  if (!isChoice(question)) return []
  const parts = partsOf(replies, question)
  return question.answers.filter(({ id }) => parts.includes(id))
}

/** How many answers of a question may be chosen, « Autre… » among them. */
export const maxChoicesOf = ({ answers, max_choices = 1, has_other }: SnapshotQuestion): number =>
  Math.min(max_choices ?? Number.POSITIVE_INFINITY, answers.length + (has_other ? 1 : 0))

/** Whether several answers may be chosen, so that a reply may be a list. */
export const takesSeveral = ({
  type,
  max_choices = 1,
}: Pick<SnapshotQuestion, 'type' | 'max_choices'>): boolean =>
  isChoice({ type }) && max_choices !== 1

/** The first and the last number of a scale. */
export const scaleOf = ({
  scale_min = SCALE_DEFAULTS.scale_min,
  scale_max = SCALE_DEFAULTS.scale_max,
}: Pick<SnapshotQuestion, 'scale_min' | 'scale_max'>): { from: number; to: number } => ({
  from: scale_min,
  to: scale_max,
})

/** The number that a reply to a scale gives; null without one of its numbers. */
export const scaleNumber = (question: SnapshotQuestion, replies: Replies): number | null => {
  const [part = ''] = question.type === 'scale' ? partsOf(replies, question) : []
  const { from, to } = scaleOf(question)
  const number = /^(\d|10)$/.test(part) ? Number(part) : -1
  return number >= from && number <= to ? number : null
}

const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')

/** Whether a text is a day of the calendar, as `2026-02-28`. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // A day that a month does not have is refused by some, and read as one of the next month by others. There was no year 0.
  return time >= FIRST_DAY && new Date(time).toISOString().startsWith(text)
}

/** What may be wrong with a reply; `replyErrors` has the words. */
export type ReplyFault =
  | 'several'
  | 'too_many'
  | 'twice'
  | 'too_long'
  | 'not_offered'
  | 'not_on_scale'
  | 'no_day'

/** What is wrong with the reply to a question that has one; undefined when it fits. */
export const replyFault = (
  question: SnapshotQuestion,
  replies: Replies,
): ReplyFault | undefined => {
  const isList = typeof replyTo(replies, question.id) !== 'string'
  if (isList && !takesSeveral(question)) return 'several'
  const parts = partsOf(replies, question)
  if (isChoice(question)) return choiceFault(question, parts)
  if (question.type === 'scale' && scaleNumber(question, replies) === null) return 'not_on_scale'
  return question.type === 'date' && !isDay(parts[0] ?? '') ? 'no_day' : undefined
}

/** Whether the fields of a question can show a reply; too many choices and too long a text they can. */
export const fitsFields = (question: SnapshotQuestion, replies: Replies): boolean => {
  const fault = replyFault(question, replies)
  return !fault || fault === 'too_many' || fault === 'too_long'
}

const choiceFault = (
  question: SnapshotQuestion,
  parts: readonly string[],
): ReplyFault | undefined => {
  const isOffered = (part: string): boolean =>
    otherText(part) === undefined
      ? question.answers.some(({ id }) => id === part)
      : question.has_other === true
  if (!parts.every(isOffered)) return 'not_offered'
  const chosen = parts.map((part) => (otherText(part) === undefined ? part : OTHER))
  if (chosen.some((one, rank) => chosen.indexOf(one) < rank)) return 'twice'
  if (parts.length > maxChoicesOf(question)) return 'too_many'
  const isTooLong = (part: string): boolean =>
    (otherText(part)?.length ?? 0) > MAX_OTHER_TEXT_LENGTH
  return parts.some(isTooLong) ? 'too_long' : undefined
}

/** « Autre » with what was typed beside it. */
export const otherAnswerText = (typed: string): string => `${OTHER_NAME} : ${typed}`

/**
 * Lists the texts of the chosen answers, « Autre » with its text last. Unlike `formatReply`, the list separates answers
 * that hold commas. Empty for a question without answers, and without a reply.
 */
export const chosenTexts = (question: SnapshotQuestion, replies: Replies): string[] => {
  if (!isChoice(question)) return []
  const chosen = chosenAnswers(question, replies).map(({ text }) => text)
  const other = partsOf(replies, question)
    .map(otherText)
    .find((typed) => typed !== undefined)
  return [...chosen, ...(other === undefined ? [] : [otherAnswerText(other)])]
}

/** Returns the reply to a question in words: chosen texts joined by commas, a day in French, or the typed text. */
export const formatReply = (question: SnapshotQuestion, replies: Replies): string => {
  if (isChoice(question)) return chosenTexts(question, replies).join(', ')
  const [text = ''] = partsOf(replies, question)
  return question.type === 'date' && isDay(text) ? text.split('-').reverse().join('/') : text
}

const OTHER_FIELD = '.other'

/** The name of the field beside « Autre… » of a question. */
export const otherField = (question_id: string): string => `${question_id}${OTHER_FIELD}`

/**
 * The replies of a form's fields, as the browser reads it and the server receives it: a field that comes several
 * times is a list, and a choice of « Autre… » takes the text of the field beside it.
 */
export const repliesOf = (fields: Iterable<readonly [name: string, value: string]>): Replies => {
  const given = new Map<string, string[]>()
  for (const [name, value] of fields) given.set(name, [...(given.get(name) ?? []), value])
  const replies: [string, Reply][] = []
  for (const [id, values] of given) {
    if (id.endsWith(OTHER_FIELD)) continue
    // A hidden blank field before boxes says that they were there, ticked or not.
    const parts = values
      .filter((value) => value !== '')
      .map((value) => (value === OTHER ? value + (given.get(otherField(id))?.[0] ?? '') : value))
    replies.push([id, parts.length > 1 ? parts : (parts[0] ?? '')])
  }
  return Object.fromEntries(replies)
}

const isPlain = (reply: Reply): boolean =>
  typeof reply === 'string' ? isPrintableAscii(reply) : reply.every(isPrintableAscii)

/**
 * Composes the texts of replies (NFC) and removes invisible characters from email addresses, so that equal replies are
 * counted together. Returns the given object if nothing changes.
 */
export const composeReplies = (
  questions: readonly Pick<SnapshotQuestion, 'id' | 'type'>[],
  replies: Replies,
): Replies => {
  // Most replies are ids of answers and addresses, which nothing changes.
  if (Object.values(replies).every(isPlain)) return replies
  const emails = new Set(questions.flatMap(({ id, type }) => (type === 'email' ? id : [])))
  let hasChanged = false
  const compose = (id: string, text: string): string => {
    const clean = emails.has(id) && cleanEmail(text)
    const composed = clean && isMailable(clean) ? clean : text.normalize()
    hasChanged ||= composed !== text
    return composed
  }
  const entries = Object.entries(replies).map(([id, reply]) => [
    id,
    typeof reply === 'string' ? compose(id, reply) : reply.map((part) => compose(id, part)),
  ])
  return hasChanged ? Object.fromEntries(entries) : replies
}
