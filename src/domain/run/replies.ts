import { cleanEmail, isMailable } from '#domain/common/addresses.ts'
import { asksForBirthday, isDay, withFullYear } from '#domain/common/days.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { isBlankText, isPrintableAscii } from '#domain/common/text.ts'
import { DEFAULT_SCALE, MAX_OTHER_TEXT_LENGTH } from '#domain/common/vocabulary.ts'
import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** Replies and their parts. */

/** Prefix of a reply part that chose « Autre… »; the typed text follows. */
export const OTHER = 'other:'
/** Label of the choice with a text field. */
export const OTHER_NAME = 'Autre'

/** Returns the reply to a question; '' without a reply. Safe for ids such as `__proto__`, whose value is no reply. */
export const replyTo = (replies: Replies, question_id: string): Reply => {
  const reply: unknown = replies[question_id]
  return typeof reply === 'string' || Array.isArray(reply) ? reply : ''
}

/** Returns the trimmed text next to « Autre… »; undefined for another part of a reply. */
export const otherText = (part: string): string | undefined =>
  part.startsWith(OTHER) ? part.slice(OTHER.length).trim() : undefined

/** Returns the non-blank parts of a reply as sent; there are several if several answers are chosen. */
export const replyPartsOf = (
  replies: Replies,
  question: Pick<SnapshotQuestion, 'id' | 'type'>,
): string[] => {
  const reply = replyTo(replies, question.id)
  if (typeof reply !== 'string') return reply.filter((part) => isFilled(part, question))
  return isFilled(reply, question) ? [reply] : []
}

const isFilled = (part: string, question: Pick<SnapshotQuestion, 'type'>): boolean =>
  !isBlankText((isChoice(question) ? otherText(part) : undefined) ?? part)

/** Returns the chosen answers in the order of the question, without « Autre… ». */
export const chosenAnswers = (question: SnapshotQuestion, replies: Replies): SnapshotAnswer[] => {
  if (!isChoice(question)) return []
  const parts = replyPartsOf(replies, question)
  return question.answers.filter(({ id }) => parts.includes(id))
}

/** Returns the maximum number of chosen answers, « Autre… » included. */
export const maxChoicesOf = ({ answers, max_choices = 1, has_other }: SnapshotQuestion): number =>
  Math.min(max_choices ?? Number.POSITIVE_INFINITY, answers.length + (has_other ? 1 : 0))

/** Returns true if several answers can be chosen, so that a reply can be a list. */
export const canChooseSeveral = ({
  type,
  max_choices = 1,
}: Pick<SnapshotQuestion, 'type' | 'max_choices'>): boolean =>
  isChoice({ type }) && max_choices !== 1

/** Returns the first and the last number of a scale. */
export const scaleOf = ({
  scale_min = DEFAULT_SCALE.scale_min,
  scale_max = DEFAULT_SCALE.scale_max,
}: Pick<SnapshotQuestion, 'scale_min' | 'scale_max'>): { from: number; to: number } => ({
  from: scale_min,
  to: scale_max,
})

/** Returns the chosen number of a scale; null without a number of the scale. */
export const scaleNumber = (question: SnapshotQuestion, replies: Replies): number | null => {
  const [part = ''] = question.type === 'scale' ? replyPartsOf(replies, question) : []
  const { from, to } = scaleOf(question)
  const number = /^(\d|10)$/.test(part) ? Number(part) : -1
  return number >= from && number <= to ? number : null
}

/** Kinds of invalid replies; `replyErrors` has the messages. */
export type ReplyFault =
  | 'several'
  | 'too_many'
  | 'twice'
  | 'too_long'
  | 'not_offered'
  | 'not_on_scale'
  | 'no_day'

/** Returns the fault of a reply; undefined if the reply is valid. The question must have a reply. */
export const replyFault = (
  question: SnapshotQuestion,
  replies: Replies,
): ReplyFault | undefined => {
  const isList = typeof replyTo(replies, question.id) !== 'string'
  if (isList && !canChooseSeveral(question)) return 'several'
  const parts = replyPartsOf(replies, question)
  if (isChoice(question)) return choiceFault(question, parts)
  if (question.type === 'scale' && scaleNumber(question, replies) === null) return 'not_on_scale'
  return question.type === 'date' && !isDay(parts[0] ?? '') ? 'no_day' : undefined
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
  if (chosen.some((part, rank) => chosen.indexOf(part) < rank)) return 'twice'
  if (parts.length > maxChoicesOf(question)) return 'too_many'
  const isTooLong = (part: string): boolean =>
    (otherText(part)?.length ?? 0) > MAX_OTHER_TEXT_LENGTH
  return parts.some(isTooLong) ? 'too_long' : undefined
}

/** Returns « Autre » with the typed text. */
export const otherAnswerText = (typed: string): string => `${OTHER_NAME} : ${typed}`

/** Separator of several answers in one cell or field; commas are ambiguous, because answers often contain them. */
export const ANSWER_SEPARATOR = '; '

/**
 * Returns the texts of the chosen answers, « Autre » last. Unlike `formatReply`, the list separates answers that
 * contain commas. Empty for a question without answers, and without a reply.
 */
export const chosenTexts = (question: SnapshotQuestion, replies: Replies): string[] => {
  if (!isChoice(question)) return []
  const chosen = chosenAnswers(question, replies).map(({ text }) => text)
  const other = replyPartsOf(replies, question)
    .map(otherText)
    .find((typed) => typed !== undefined)
  return [...chosen, ...(other === undefined ? [] : [otherAnswerText(other)])]
}

/** Returns the reply as text: chosen texts joined by commas, a day in French, or the typed text. */
export const formatReply = (question: SnapshotQuestion, replies: Replies): string => {
  if (isChoice(question)) return chosenTexts(question, replies).join(', ')
  const [text = ''] = replyPartsOf(replies, question)
  return question.type === 'date' && isDay(text) ? text.split('-').reverse().join('/') : text
}

/** Returns the chosen number of a scale for a reader, with the last number and the labels of the ends. */
const scaleText = (question: SnapshotQuestion, number: number): string => {
  const { from, to } = scaleOf(question)
  const ends = [
    [from, question.scale_min_label ?? ''],
    [to, question.scale_max_label ?? ''],
  ] as const
  const labelled = ends.filter(([, label]) => !isBlankText(label))
  const legend = labelled.map(([end, label]) => `${end} : ${label.trim()}`).join(' ; ')
  return tiePunctuation(`${number} sur ${to}${legend && ` (${legend})`}`)
}

/**
 * Returns the texts of the chosen answers, the number of a scale with its range, or the typed text. Empty without a
 * reply.
 */
export const replyTexts = (question: SnapshotQuestion, replies: Replies): string[] => {
  const number = scaleNumber(question, replies)
  if (number !== null) return [scaleText(question, number)]
  const chosen = chosenTexts(question, replies)
  const texts = chosen.length > 0 ? chosen : [formatReply(question, replies)]
  return texts.filter((text) => text.trim() !== '')
}

const OTHER_FIELD = '.other'

/** Returns the name of the text field next to « Autre… » of a question. */
export const otherField = (question_id: string): string => `${question_id}${OTHER_FIELD}`

/**
 * Returns the replies of form fields, for the browser's form and the server. Blank values are left out: several others
 * become a list, a single one a text, and none an empty text. « Autre… » takes the text of the field next to it.
 */
export const repliesOf = (fields: Iterable<readonly [name: string, value: string]>): Replies => {
  const by_question = new Map<string, string[]>()
  for (const [name, value] of fields)
    by_question.set(name, [...(by_question.get(name) ?? []), value])
  const replies: [string, Reply][] = []
  for (const [id, values] of by_question) {
    if (id.endsWith(OTHER_FIELD)) continue
    // A blank hidden field before checkboxes says that they were present, checked or not.
    const parts = values
      .filter((value) => value !== '')
      .map((value) =>
        value === OTHER ? value + (by_question.get(otherField(id))?.[0] ?? '') : value,
      )
    replies.push([id, parts.length > 1 ? parts : (parts[0] ?? '')])
  }
  return Object.fromEntries(replies)
}

/** Returns true if no reply of this text changes when it is composed. */
const isComposed = (text: string): boolean => isPrintableAscii(text) && !text.startsWith('00')
const isComposedReply = (reply: Reply): boolean =>
  typeof reply === 'string' ? isComposed(reply) : reply.every(isComposed)

/**
 * Normalises the texts of replies (NFC), removes invisible characters from email addresses, and completes years of two
 * digits, so that equal replies are counted together. Returns the given object if nothing changes.
 */
export const composeReplies = (
  questions: readonly Pick<SnapshotQuestion, 'id' | 'type' | 'text'>[],
  replies: Replies,
  this_year: number,
): Replies => {
  // Most replies are ids of answers and ASCII addresses, which normalisation never changes.
  if (Object.values(replies).every(isComposedReply)) return replies
  const by_id = new Map(questions.map((question) => [question.id, question]))
  let hasChanged = false
  const compose = (id: string, text: string): string => {
    const composed = composeReply(by_id.get(id), text, this_year)
    hasChanged ||= composed !== text
    return composed
  }
  const entries = Object.entries(replies).map(([id, reply]) => [
    id,
    typeof reply === 'string' ? compose(id, reply) : reply.map((part) => compose(id, part)),
  ])
  return hasChanged ? Object.fromEntries(entries) : replies
}

const composeReply = (
  question: Pick<SnapshotQuestion, 'type' | 'text'> | undefined,
  text: string,
  this_year: number,
): string => {
  if (question?.type === 'date' && isDay(text))
    return withFullYear(text, { is_birthday: asksForBirthday(question.text), this_year })
  const clean = question?.type === 'email' && cleanEmail(text)
  return clean && isMailable(clean) ? clean : normalizeText(text)
}
