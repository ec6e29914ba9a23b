import type { Figures } from '#contract/figures.ts'
import type { KeyFiguresAnswer } from '#contract/key-figures.ts'
import { NO_RESULT } from '#domain/figures.ts'
import type { FindingsInput } from '#domain/findings.ts'
import { comparisonOf } from '#domain/periods.ts'
import type { QuestionStats } from '#domain/statistics.ts'

type Shown = Pick<Figures, 'nb_participants' | 'visits' | 'results' | 'questions' | 'duration'>

/** What the sentences above the figures are made of: the figures that are shown, and their texts. */
export const findingsInput = (
  { results, questions, ...figures }: Shown,
  stats: Record<string, QuestionStats>,
  compared: FindingsInput['compared'],
): FindingsInput => ({
  ...figures,
  compared,
  results: results.filter(({ result_name }) => result_name !== NO_RESULT),
  questions: Object.entries(questions).flatMap(([id, { nb_seen, nb_answered }]) => {
    const question_text = stats[id]?.question_text
    return question_text === undefined ? [] : [{ question_text, nb_seen, nb_answered }]
  }),
})

/** The key figures that are compared; null where nothing can be. */
export const comparedInput = (answer: KeyFiguresAnswer | undefined): FindingsInput['compared'] => {
  const comparison = answer && comparisonOf(answer)
  return comparison && answer.compared && answer.before
    ? { comparison, now: answer.compared, before: answer.before }
    : null
}
