import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { SKIPPED, UNSEEN } from '#domain/run/stored-replies.ts'

/** A version that was taken, with its participants. */
export type AnsweredVersion = {
  version: number
  nb_responses: number
  /** Participants that it had and that were deleted. */
  nb_deleted?: number
  snapshot: Pick<Snapshot, 'questions' | 'results'>
}
/**
 * How often one number was stored for a question: the rank of an answer in the version's own list, from 0, the
 * number of a scale, SKIPPED or UNSEEN.
 */
export type ChoiceCount = {
  version: number
  question_position: number
  answer_position: number
  count: number
}

/** A question as a version has it, and how often each number was stored for it there. */
type Appearance = { question: SnapshotQuestion; countOf: (answer_position: number) => number }

/** A question of the versions that were taken, and how far it came. */
export type AskedQuestion = {
  /** As the newest version has it. */
  question: SnapshotQuestion
  /** Newest first; its type never changes. */
  appearances: Appearance[]
  /** Participants whose version has it. */
  nb_participants: number
  /** Those of them whose path passed its page. */
  nb_seen: number
  /** Those of them who gave a reply. */
  nb_answered: number
}

/** The questions of the versions that were taken, each once, in the order of the newest version that has it. */
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
  const asked = new Map<string, AskedQuestion>()
  const taken = versions
    .filter(({ nb_responses }) => nb_responses > 0)
    .sort((a, b) => b.version - a.version)
  for (const { version, nb_responses, snapshot } of taken) {
    for (const question of snapshot.questions) {
      const countOf = (answer_position: number): number =>
        counts.get(keyOf(version, question.position, answer_position)) ?? 0
      const known = asked.get(question.id) ?? firstOf(question)
      const nb_seen = nb_responses - countOf(UNSEEN)
      known.appearances.push({ question, countOf })
      known.nb_participants += nb_responses
      known.nb_seen += nb_seen
      known.nb_answered += nb_seen - countOf(SKIPPED)
      asked.set(question.id, known)
    }
  }
  return [...asked.values()]
}

const keyOf = (version: number, question: number, answer: number): string =>
  `${version}/${question}/${answer}`

const firstOf = (question: SnapshotQuestion): AskedQuestion => ({
  question,
  appearances: [],
  nb_participants: 0,
  nb_seen: 0,
  nb_answered: 0,
})

/**
 * How many participants of a version passed each page that has questions, by its number, from how many did not
 * see these. Only a version with jumps counts those.
 */
export const passedPages = (
  { version, nb_responses, snapshot }: AnsweredVersion,
  choices: readonly ChoiceCount[],
): Map<number, number> => {
  const unseen = new Map(
    choices
      .filter((one) => one.version === version && one.answer_position === UNSEEN)
      .map(({ question_position, count }) => [question_position, count]),
  )
  return new Map(
    snapshot.questions.map(({ page_number, position }) => [
      page_number,
      nb_responses - (unseen.get(position) ?? 0),
    ]),
  )
}
