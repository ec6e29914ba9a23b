import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { createIsPageSkipped, hasJumps } from './path.ts'
import {
  chosenTexts,
  formatReply,
  maxChoicesOf,
  OTHER,
  otherText,
  replyPartsOf,
  scaleNumber,
} from './replies.ts'

/**
 * Replies as stored: numbers in slots, and typed texts. A choice has a slot for the rank of each answer
 * that can be chosen; a scale has a slot for its number. The first slot of a question without a reply holds BLANK or
 * NOT_VISITED, and other empty slots hold null.
 */
export type StoredReplies = { choices: (number | null)[]; texts: string[] }

/** Value of the first slot of a question that the participant saw and left blank. */
export const BLANK = -1
/** Value of the first slot of a question on a page that the run skipped. */
export const NOT_VISITED = -2

type Version = Pick<Snapshot, 'questions'>

/** Meaning of the stored numbers and texts of a version, in their order. */
export type ResponseLayout = {
  /** Position of the question of each slot. */
  choice_questions: number[]
  /** Id of the question of each text. */
  text_questions: string[]
  /** Names of the results by position. */
  result_names: string[]
}

/** Location of the reply to one question: its slots and its text. */
export type ReplyPlace = {
  question: SnapshotQuestion
  slot: number
  nb_slots: number
  text: number | null
}

/** Returns true if a text of the reply is stored. */
export const hasStoredText = (question: SnapshotQuestion): boolean =>
  isChoice(question) ? question.has_other === true : question.type !== 'scale'

const slotsOf = (question: SnapshotQuestion, canBeSkipped: boolean): number => {
  // A slot exists even without answers, because the first slot also says that there is no reply.
  if (isChoice(question)) return Math.max(1, maxChoicesOf(question))
  return question.type === 'scale' || canBeSkipped || question.is_required === false ? 1 : 0
}

/** Cache of places by the questions of a version, because versions never change and every reply needs them. */
const knownPlaces = new WeakMap<readonly SnapshotQuestion[], ReplyPlace[]>()

/** Returns the places of the replies to each question of a version, in order. */
export const replyPlaces = ({ questions }: Version): readonly ReplyPlace[] => {
  const known = knownPlaces.get(questions)
  if (known) return known
  const places = placesOf(questions)
  knownPlaces.set(questions, places)
  return places
}

const placesOf = (questions: readonly SnapshotQuestion[]): ReplyPlace[] => {
  const canBeSkipped = hasJumps(questions)
  let slot = 0
  let text = 0
  return questions.map((question) => {
    const nb_slots = slotsOf(question, canBeSkipped)
    const place = { question, slot, nb_slots, text: hasStoredText(question) ? text++ : null }
    slot += nb_slots
    return place
  })
}

/** Returns the layout of a version's responses. */
export const layoutOf = ({
  questions,
  results,
}: Pick<Snapshot, 'questions' | 'results'>): ResponseLayout => {
  const places = replyPlaces({ questions })
  return {
    choice_questions: places.flatMap(({ question, nb_slots }) =>
      Array.from({ length: nb_slots }, () => question.position),
    ),
    text_questions: places.flatMap(({ question, text }) => (text === null ? [] : question.id)),
    result_names: results.map(({ name }) => name),
  }
}

/** Packs valid replies. Typed texts are trimmed, and replies on pages that the run does not visit are dropped. */
export const packReplies = ({ questions }: Version, replies: Replies): StoredReplies => {
  const isSkipped = createIsPageSkipped(questions, replies)
  const choices: (number | null)[] = []
  const texts: string[] = []
  for (const { question, nb_slots, text } of replyPlaces({ questions })) {
    const isOnSkippedPage = isSkipped(question.page_number)
    const parts = isOnSkippedPage ? [] : replyPartsOf(replies, question)
    const numbers =
      parts.length === 0
        ? [isOnSkippedPage ? NOT_VISITED : BLANK]
        : numbersOf(question, replies, parts)
    for (let slot = 0; slot < nb_slots; slot++) choices.push(numbers[slot] ?? null)
    if (text !== null) texts.push(typedText(question, parts))
  }
  return { choices, texts }
}

const numbersOf = (
  question: SnapshotQuestion,
  replies: Replies,
  parts: readonly string[],
): (number | null)[] => {
  if (!isChoice(question)) return [scaleNumber(question, replies)]
  const chosen: number[] = []
  const { answers } = question
  for (let rank = 0; rank < answers.length; rank++)
    if (parts.includes(answers[rank]?.id ?? '')) chosen.push(rank)
  if (parts.some((part) => otherText(part) !== undefined)) chosen.push(answers.length)
  return chosen
}

const typedText = (question: SnapshotQuestion, parts: readonly string[]): string => {
  if (!isChoice(question)) return (parts[0] ?? '').trim()
  return parts.map(otherText).find((typed) => typed !== undefined) ?? ''
}

/** Returns the replies as they were sent, without blank questions and questions on skipped pages. */
export const unpackReplies = (version: Version, stored: StoredReplies): Replies =>
  Object.fromEntries(
    replyPlaces(version).flatMap((place) => {
      const reply = unpackReply(place, stored)
      return reply === undefined ? [] : [[place.question.id, reply]]
    }),
  )

/** Returns the reply to one question as it was sent; undefined if it is blank or on a skipped page. */
export const unpackReply = (
  { question, slot, nb_slots, text }: ReplyPlace,
  { choices, texts }: StoredReplies,
): Reply | undefined => {
  const numbers = choices.slice(slot, slot + nb_slots).filter((choice) => choice !== null)
  const typed = text === null ? '' : (texts[text] ?? '')
  if ((numbers[0] ?? 0) < 0) return undefined
  if (question.type === 'scale') return `${numbers[0] ?? ''}`
  if (!isChoice(question)) return typed
  const parts = numbers.map((rank) => question.answers[rank]?.id ?? `${OTHER}${typed}`)
  // A single chosen answer is a string, as clients send it.
  return parts.length > 1 ? parts : (parts[0] ?? '')
}

/** Reply to one question in words: `answer_text` is '' without a reply; `choices` lists the texts of chosen answers. */
export type WrittenReply = { question_text: string; answer_text: string; choices: string[] }

/** Returns the reply to one question in words. */
const writeReply = (
  { questions }: Version,
  question: SnapshotQuestion,
  replies: Replies,
): WrittenReply => ({
  question_text: questionText(questions, question),
  answer_text: formatReply(question, replies),
  choices: chosenTexts(question, replies),
})

/** Lists the questions that a participant saw, in order, with their replies in words. */
export const readReplies = (version: Version, stored: StoredReplies): WrittenReply[] => {
  const replies = unpackReplies(version, stored)
  const isSkipped = createIsPageSkipped(version.questions, replies)
  return version.questions
    .filter(({ page_number }) => !isSkipped(page_number))
    .map((question) => writeReply(version, question, replies))
}

/** Page of a questionnaire with the replies of one participant, also if the path of the run skips the page. */
export type PathPage = {
  page_number: number
  /** True if the run skipped the page, so that its questions are not listed. */
  is_left_out: boolean
  answers: WrittenReply[]
}

/** Returns all pages with questions in order, with the replies of one participant. */
export const pathWithReplies = (version: Version, stored: StoredReplies): PathPage[] => {
  const { questions } = version
  const replies = unpackReplies(version, stored)
  const isSkipped = createIsPageSkipped(questions, replies)
  return [...Map.groupBy(questions, ({ page_number }) => page_number)].map(
    ([page_number, asked]) => {
      const is_left_out = isSkipped(page_number)
      const seen = is_left_out ? [] : asked
      return {
        page_number,
        is_left_out,
        answers: seen.map((question) => writeReply(version, question, replies)),
      }
    },
  )
}
