import { isChoice, type Replies } from './quiz.ts'
import type { Snapshot } from './snapshot.ts'
import { replyTo } from './taking.ts'

/**
 * How a response keeps its replies: the rank of each chosen answer, one for every multiple-choice
 * question of its version in order, and the typed texts, one for every other question in order.
 * Ids and wordings stay in the immutable version.
 */
export type StoredReplies = { choices: number[]; texts: string[] }

type Taken = Pick<Snapshot, 'questions'>

/** What the numbers and texts of a version's responses stand for, in their order. */
export type ResponseLayout = {
  /** The position of the question of each choice. */
  choice_questions: number[]
  /** The id of the question of each text. */
  text_questions: string[]
  /** What the results are called, by position. */
  result_names: string[]
}

/** The layout of a version's responses, the same for all of them. */
export const layoutOf = ({
  questions,
  results,
}: Pick<Snapshot, 'questions' | 'results'>): ResponseLayout => ({
  choice_questions: questions.filter(isChoice).map(({ position }) => position),
  text_questions: questions.filter((question) => !isChoice(question)).map(({ id }) => id),
  result_names: results.map(({ name }) => name),
})

/** Packs replies that `replyErrors` found nothing wrong with; typed texts are trimmed. */
export const packReplies = ({ questions }: Taken, replies: Replies): StoredReplies => {
  const choices: number[] = []
  const texts: string[] = []
  for (const question of questions) {
    const reply = replyTo(replies, question.id)
    if (isChoice(question)) choices.push(question.answers.findIndex(({ id }) => id === reply))
    else texts.push(reply.trim())
  }
  return { choices, texts }
}

/** What the participant saw and gave, question by question in order (spec §3 « Statistics response »). */
export const readReplies = (
  { questions }: Taken,
  { choices, texts }: StoredReplies,
): { question_text: string; answer_text: string }[] => {
  let choice = 0
  let text = 0
  return questions.map((question) => ({
    question_text: question.text,
    answer_text: isChoice(question)
      ? (question.answers[choices[choice++] ?? -1]?.text ?? '')
      : (texts[text++] ?? ''),
  }))
}

/** The replies as they were sent, for the rules that read them: the ids of the choices, and the texts. */
export const unpackReplies = ({ questions }: Taken, { choices, texts }: StoredReplies): Replies => {
  let choice = 0
  let text = 0
  return Object.fromEntries(
    questions.map((question) => [
      question.id,
      isChoice(question)
        ? (question.answers[choices[choice++] ?? -1]?.id ?? '')
        : (texts[text++] ?? ''),
    ]),
  )
}
