import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { hasJumps, pagesLeftOut } from './path.ts'
import {
  chosenTexts,
  formatReply,
  maxChoicesOf,
  OTHER,
  otherText,
  partsOf,
  scaleNumber,
} from './replies.ts'

/**
 * How a response keeps its replies: a number for every slot of its version, and a text for every place of one.
 * A multiple-choice question has as many slots as answers may be chosen, which hold their ranks (that of « Autre… »
 * follows the last one's); a scale has one, which holds its number; any other question that a run may leave
 * blank or pass by has one that stays empty when it is answered. The first slot of a question is SKIPPED or UNSEEN where
 * there is no reply; others hold null. Ids and wordings stay in the immutable version.
 */
export type StoredReplies = { choices: (number | null)[]; texts: string[] }

/** In the first slot of a question: it was left blank, and its page was not passed. */
export const SKIPPED = -1
export const UNSEEN = -2

type Taken = Pick<Snapshot, 'questions'>

/** What the numbers and texts of a version's responses stand for, in their order. */
export type ResponseLayout = {
  /** The position of the question of each slot. */
  choice_questions: number[]
  /** The id of the question of each text. */
  text_questions: string[]
  /** What the results are called, by position. */
  result_names: string[]
}

/** Where the reply to one question is kept: which slots, and which text. */
export type ReplyPlace = {
  question: SnapshotQuestion
  slot: number
  nb_slots: number
  text: number | null
}

/** Whether a text is stored of the reply to a question. */
export const takesText = (question: SnapshotQuestion): boolean =>
  isChoice(question) ? question.has_other === true : question.type !== 'scale'

const slotsOf = (question: SnapshotQuestion, canBePassedBy: boolean): number => {
  // One even without answers: the first slot says too that there is none.
  if (isChoice(question)) return Math.max(1, maxChoicesOf(question))
  return question.type === 'scale' || canBePassedBy || question.is_required === false ? 1 : 0
}

/** Of versions, which never change and of which each reply is read: by their questions, for as long as they are kept. */
const knownPlaces = new WeakMap<readonly SnapshotQuestion[], ReplyPlace[]>()

/** The places of the replies to each question of a version, in order. */
export const replyPlaces = ({ questions }: Taken): readonly ReplyPlace[] => {
  const known = knownPlaces.get(questions)
  if (known) return known
  const places = placesOf(questions)
  knownPlaces.set(questions, places)
  return places
}

const placesOf = (questions: readonly SnapshotQuestion[]): ReplyPlace[] => {
  const canBePassedBy = hasJumps(questions)
  let slot = 0
  let text = 0
  return questions.map((question) => {
    const nb_slots = slotsOf(question, canBePassedBy)
    const place = { question, slot, nb_slots, text: takesText(question) ? text++ : null }
    slot += nb_slots
    return place
  })
}

/** The layout of a version's responses, the same for all of them. */
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

/**
 * Packs replies that `replyErrors` found nothing wrong with; typed texts are trimmed, and replies to pages that
 * the run does not pass are left out.
 */
export const packReplies = ({ questions }: Taken, replies: Replies): StoredReplies => {
  const isLeftOut = pagesLeftOut(questions, replies)
  const choices: (number | null)[] = []
  const texts: string[] = []
  for (const { question, nb_slots, text } of replyPlaces({ questions })) {
    const isUnseen = isLeftOut(question.page_number)
    const parts = isUnseen ? [] : partsOf(replies, question)
    const numbers =
      parts.length === 0 ? [isUnseen ? UNSEEN : SKIPPED] : numbersOf(question, replies, parts)
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

/** The replies as they were sent, for the rules that read them; none to what was left blank or not passed. */
export const unpackReplies = (taken: Taken, stored: StoredReplies): Replies =>
  Object.fromEntries(
    replyPlaces(taken).flatMap((place) => {
      const reply = unpackReply(place, stored)
      return reply === undefined ? [] : [[place.question.id, reply]]
    }),
  )

/** The reply to one question as it was sent; undefined of one that was left blank or not passed. */
export const unpackReply = (
  { question, slot, nb_slots, text }: ReplyPlace,
  { choices, texts }: StoredReplies,
): Reply | undefined => {
  const numbers = choices.slice(slot, slot + nb_slots).filter((one) => one !== null)
  const typed = text === null ? '' : (texts[text] ?? '')
  if ((numbers[0] ?? 0) < 0) return undefined
  if (question.type === 'scale') return `${numbers[0] ?? ''}`
  if (!isChoice(question)) return typed
  const parts = numbers.map((rank) => question.answers[rank]?.id ?? `${OTHER}${typed}`)
  // One chosen answer is a text, as it may be sent.
  return parts.length > 1 ? parts : (parts[0] ?? '')
}

/** Reply to one question in words: `answer_text` is '' without a reply; `choices` lists the texts of chosen answers. */
export type WrittenReply = { question_text: string; answer_text: string; choices: string[] }

/** Returns the reply to one question in words. */
const writeReply = (question: SnapshotQuestion, replies: Replies): WrittenReply => ({
  question_text: question.text,
  answer_text: formatReply(question, replies),
  choices: chosenTexts(question, replies),
})

/** Lists the questions that a participant saw, in order, with their replies in words. */
export const readReplies = (taken: Taken, stored: StoredReplies): WrittenReply[] => {
  const replies = unpackReplies(taken, stored)
  const isLeftOut = pagesLeftOut(taken.questions, replies)
  return taken.questions
    .filter(({ page_number }) => !isLeftOut(page_number))
    .map((question) => writeReply(question, replies))
}

/** One page of a run with the replies to its questions. */
export type VisitedPage = {
  page_number: number
  /** The run went past it: its questions were not seen, and are not listed. */
  is_left_out: boolean
  answers: WrittenReply[]
}

/** The pages with questions of a version, in order, as one participant took them or went past them. */
export const visitedPath = (
  { questions }: Pick<Snapshot, 'questions'>,
  stored: StoredReplies,
): VisitedPage[] => {
  const replies = unpackReplies({ questions }, stored)
  const isLeftOut = pagesLeftOut(questions, replies)
  return [...Map.groupBy(questions, ({ page_number }) => page_number)].map(
    ([page_number, asked]) => {
      const is_left_out = isLeftOut(page_number)
      const seen = is_left_out ? [] : asked
      return {
        page_number,
        is_left_out,
        answers: seen.map((question) => writeReply(question, replies)),
      }
    },
  )
}
