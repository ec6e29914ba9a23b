import { isChoice } from './quiz.ts'
import type { Snapshot, SnapshotQuestion } from './snapshot.ts'

type AnswerStats = { answer_text: string; count: number; percentage: number }
export type QuestionStats = { question_text: string; answers: AnswerStats[] }

/** A version that was taken, with its participants. */
export type TakenVersion = {
  version: number
  nb_responses: number
  /** Participants that it had and that were deleted. */
  nb_removed?: number
  snapshot: Pick<Snapshot, 'questions' | 'results'>
}
/** How often one answer was chosen; the two ranks are those of the version's own lists, from 0. */
export type ChoiceCount = {
  version: number
  question_position: number
  answer_position: number
  count: number
}
/** How often one text was typed to an open question. */
export type TextCount = { question_id: string; text: string; count: number }

const OTHER_TEXTS = 'Autres réponses'
export const MOST_FREQUENT_TEXTS = 10

/** Percent of the whole with one decimal; 0 when the whole is 0. */
export const percentageOf = (count: number, total: number): number =>
  // Multiplied first: 201 / 400 * 1000 falls just short of 502.5 and would lose its half.
  total === 0 ? 0 : Math.round((count * 1_000) / total) / 10

/**
 * Counts per question, keyed by question id, in the order of the newest version that has it
 * (decisions « Statistics »). A multiple-choice question lists every answer of the versions that
 * were taken, zero included; an answer that was reworded has a line for each wording. An open
 * question lists its most frequent texts (`texts` holds those, most frequent first) and the rest as
 * one line. Percentages are of the participants who answered that question.
 */
export const questionStats = (
  versions: readonly TakenVersion[],
  choices: readonly ChoiceCount[],
  texts: readonly TextCount[],
): Map<string, QuestionStats> => {
  const taken = versions
    .filter(({ nb_responses }) => nb_responses > 0)
    .sort((a, b) => b.version - a.version)
  const counts = new Map(
    choices.map((choice) => [
      keyOf(choice.version, choice.question_position, choice.answer_position),
      choice.count,
    ]),
  )
  const stats = new Map<string, QuestionStats>()
  for (const { snapshot } of taken) {
    for (const question of snapshot.questions) {
      if (stats.has(question.id)) continue
      const appearances = appearancesOf(question, taken)
      const total = appearances.reduce((sum, { version }) => sum + version.nb_responses, 0)
      const answers = isChoice(question)
        ? choiceLines(appearances, counts)
        : textLines(question, texts, total)
      stats.set(question.id, {
        question_text: question.text,
        answers: answers.map((line) => ({ ...line, percentage: percentageOf(line.count, total) })),
      })
    }
  }
  return stats
}

type Appearance = { version: TakenVersion; question: SnapshotQuestion }
type Line = Pick<AnswerStats, 'answer_text' | 'count'>

const keyOf = (version: number, question: number, answer: number): string =>
  `${version}/${question}/${answer}`

/** Where a question stands in each version, newest first; its type never changes. */
const appearancesOf = ({ id }: SnapshotQuestion, versions: readonly TakenVersion[]): Appearance[] =>
  versions.flatMap((version) =>
    version.snapshot.questions
      .filter((question) => question.id === id)
      .map((question) => ({ version, question })),
  )

const choiceLines = (
  appearances: readonly Appearance[],
  counts: ReadonlyMap<string, number>,
): Line[] => {
  const lines = new Map<string, Line>()
  for (const { version, question } of appearances) {
    for (const [rank, answer] of question.answers.entries()) {
      const count = counts.get(keyOf(version.version, question.position, rank)) ?? 0
      const key = `${answer.id} ${answer.text}`
      const line = lines.get(key)
      if (line) line.count += count
      else lines.set(key, { answer_text: answer.text, count })
    }
  }
  return [...lines.values()]
}

const textLines = (
  { id }: SnapshotQuestion,
  texts: readonly TextCount[],
  total: number,
): Line[] => {
  const frequent = texts
    .filter(({ question_id }) => question_id === id)
    .slice(0, MOST_FREQUENT_TEXTS)
    .map(({ text, count }) => ({ answer_text: text, count }))
  const others = total - frequent.reduce((sum, { count }) => sum + count, 0)
  return others > 0 ? [...frequent, { answer_text: OTHER_TEXTS, count: others }] : frequent
}
