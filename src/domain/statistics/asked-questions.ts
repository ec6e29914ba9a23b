import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { BLANK, NOT_VISITED } from '#domain/run/stored-replies.ts'

/** Version with its participants. */
export type AnsweredVersion = {
  version: number
  nb_responses: number
  /** Number of its deleted participants. */
  nb_deleted?: number
  /** True for a sondage, in which no reply is right or wrong. */
  is_sondage?: boolean
  /** Parts of the version. A sondage has neither `quiz` nor `quiz_mode`, because its replies give no points. */
  snapshot: Pick<Snapshot, 'questions' | 'results' | 'dimensions'> &
    Partial<Pick<Snapshot, 'quiz_mode'>> & {
      quiz?: Pick<Snapshot['quiz'], 'type' | 'certificate_percent'>
    }
}
/** Returns true if a version gives certificates. */
export const hasCertificates = ({ quiz }: AnsweredVersion['snapshot']): boolean =>
  (quiz?.certificate_percent ?? null) !== null

/**
 * Number of participants with one stored number for a question. The number is the rank of an answer, a scale number,
 * BLANK or NOT_VISITED.
 */
export type ChoiceCount = {
  version: number
  question_position: number
  answer_position: number
  count: number
}

/** Question as one version has it, with the count of each stored number. */
export type Appearance = {
  version: number
  question: SnapshotQuestion
  /** Participants of the version whose path visited the page of the question. */
  nb_seen: number
  countOf: (answer_position: number) => number
}

/** Question of several versions, with the numbers of participants who saw and answered it. */
export type AskedQuestion = {
  /** The question in its newest version. */
  question: SnapshotQuestion
  /** Text of the question; a row of a grid has the title of the grid before its own text. */
  text: string
  /** Versions of the question, newest first. A question never changes its type. */
  appearances: Appearance[]
  /** Participants whose version has the question. */
  nb_participants: number
  /** Participants whose path visited the page of the question. */
  nb_seen: number
  /** Participants who replied. */
  nb_answered: number
}

/** Returns the questions of all answered versions, each once, in the order of the newest version that has it. */
export const askedQuestions = (
  versions: readonly AnsweredVersion[],
  choices: readonly ChoiceCount[],
): AskedQuestion[] => {
  const counts = new Map(
    choices.map(({ version, question_position, answer_position, count }) => [
      keyOf(version, question_position, answer_position),
      count,
    ]),
  )
  const by_key = new Map<string, AskedQuestion>()
  const answered = versions
    .filter(({ nb_responses }) => nb_responses > 0)
    .sort((a, b) => b.version - a.version)
  for (const { version, nb_responses, snapshot } of answered) {
    for (const question of snapshot.questions) {
      const countOf = (answer_position: number): number =>
        counts.get(keyOf(version, question.position, answer_position)) ?? 0
      const known = by_key.get(question.id) ?? createQuestionSummary(snapshot.questions, question)
      const nb_seen = nb_responses - countOf(NOT_VISITED)
      known.appearances.push({ version, question, nb_seen, countOf })
      known.nb_participants += nb_responses
      known.nb_seen += nb_seen
      known.nb_answered += nb_seen - countOf(BLANK)
      by_key.set(question.id, known)
    }
  }
  return [...by_key.values()]
}

const keyOf = (version: number, question: number, answer: number): string =>
  `${version}/${question}/${answer}`

const createQuestionSummary = (
  questions: readonly SnapshotQuestion[],
  question: SnapshotQuestion,
): AskedQuestion => ({
  question,
  text: questionText(questions, question),
  appearances: [],
  nb_participants: 0,
  nb_seen: 0,
  nb_answered: 0,
})

/**
 * Returns the number of participants who visited each page with questions, by page number. Uses the NOT_VISITED counts,
 * which only versions with jumps have.
 */
export const countPageVisits = (
  { version, nb_responses, snapshot }: AnsweredVersion,
  choices: readonly ChoiceCount[],
): Map<number, number> => {
  const unseen = new Map(
    choices
      .filter((line) => line.version === version && line.answer_position === NOT_VISITED)
      .map(({ question_position, count }) => [question_position, count]),
  )
  return new Map(
    snapshot.questions.map(({ page_number, position }) => [
      page_number,
      nb_responses - (unseen.get(position) ?? 0),
    ]),
  )
}
