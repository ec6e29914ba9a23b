import { isChoice, type Replies, type Reply, SCALE_DEFAULTS } from './quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from './snapshot.ts'
import { LONGEST_OTHER_TEXT } from './vocabulary.ts'

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
  const said = (part: string): string => (isChoice(question) ? (otherText(part) ?? part) : part)
  return (typeof reply === 'string' ? [reply] : reply).filter((part) => said(part).trim() !== '')
}

/** The chosen answers of a question, in the order of its answers; « Autre… » is none of them. */
export const chosenAnswers = (question: SnapshotQuestion, replies: Replies): SnapshotAnswer[] => {
  if (!isChoice(question)) return []
  const parts = partsOf(replies, question)
  return question.answers.filter(({ id }) => parts.includes(id))
}

/** How many answers of a question may be chosen, « Autre… » among them. */
export const mostChoices = ({ answers, max_choices = 1, has_other }: SnapshotQuestion): number =>
  Math.min(max_choices ?? Number.POSITIVE_INFINITY, answers.length + (has_other ? 1 : 0))

/** Whether several answers may be chosen, so that a reply may be a list. */
export const takesSeveral = ({ max_choices = 1 }: Pick<SnapshotQuestion, 'max_choices'>): boolean =>
  max_choices !== 1

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
  const isNumber = /^\d{1,2}$/.test(part) && Number(part) >= from && Number(part) <= to
  return isNumber ? Number(part) : null
}

/** Whether a text is a day of the calendar, as `2026-02-28`. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // A day that a month does not have is refused by some, and read as one of the next month by others.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** What is wrong with the reply to a question that has one, in French after « La question "…" »; undefined when it fits. */
export const replyFault = (question: SnapshotQuestion, replies: Replies): string | undefined => {
  const parts = partsOf(replies, question)
  if (isChoice(question))
    return choiceFault(question, parts, Array.isArray(replyTo(replies, question.id)))
  if (parts.length > 1 || Array.isArray(replyTo(replies, question.id))) return ONE_REPLY
  if (question.type === 'scale' && scaleNumber(question, replies) === null) {
    const { from, to } = scaleOf(question)
    return `attend un nombre entier de ${from} à ${to}`
  }
  return question.type === 'date' && !isDay(parts[0] ?? '')
    ? 'attend une date du calendrier'
    : undefined
}

const ONE_REPLY = "n'accepte qu'une réponse"

const choiceFault = (
  question: SnapshotQuestion,
  parts: readonly string[],
  isList: boolean,
): string | undefined => {
  const most = mostChoices(question)
  if (isList && !takesSeveral(question)) return ONE_REPLY
  if (parts.length > most) return `accepte au plus ${most} réponses`
  const chosen = parts.map((part) => (otherText(part) === undefined ? part : OTHER))
  if (new Set(chosen).size < chosen.length) return 'a deux fois la même réponse'
  if (parts.some((part) => (otherText(part)?.length ?? 0) > LONGEST_OTHER_TEXT))
    return `accepte un texte de ${LONGEST_OTHER_TEXT} caractères au plus`
  const offered = new Set(question.answers.map(({ id }) => id))
  if (question.has_other) offered.add(OTHER)
  return chosen.every((one) => offered.has(one)) ? undefined : NOT_OFFERED
}

/** Of a choice that the question does not offer, said as the specification says it. */
export const NOT_OFFERED = "n'est pas proposée"

/** « Autre » with what was typed beside it. */
export const otherWords = (typed: string): string => `${OTHER_NAME} : ${typed}`

/** The reply to a question in words: the texts of the chosen answers, « Autre » with its text, a day as it is written in French. */
export const replyWords = (question: SnapshotQuestion, replies: Replies): string => {
  const parts = partsOf(replies, question)
  if (isChoice(question)) {
    const chosen = chosenAnswers(question, replies).map(({ text }) => text)
    const other = parts.map(otherText).find((typed) => typed !== undefined)
    return [...chosen, ...(other === undefined ? [] : [otherWords(other)])].join(', ')
  }
  const [text = ''] = parts
  return question.type === 'date' && isDay(text) ? text.split('-').reverse().join('/') : text
}
