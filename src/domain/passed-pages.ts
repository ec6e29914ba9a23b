import type { ChoiceCount, TakenVersion } from './asked-questions.ts'
import { UNSEEN } from './stored-replies.ts'

/**
 * How many participants of a version passed each page that has questions, by its number, from how many did not
 * see these. Only a version with jumps counts those.
 */
export const passedPages = (
  { version, nb_responses, snapshot }: TakenVersion,
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
