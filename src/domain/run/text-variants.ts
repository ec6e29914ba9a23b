import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { type DimensionScoringInput, dimensionScores } from './dimensions.ts'
import { createIsPageSkipped } from './path.ts'
import { chosenAnswers, scaleNumber } from './replies.ts'
import { type ScoredQuiz, totalScore } from './scoring.ts'

/** Finished run on which the conditions of texts depend. */
export type FinishedRun = {
  replies: Replies
  /** Id of the result that the run stores; null without a result. */
  result_id: string | null
  /** Total of a quiz by score, otherwise null. */
  score: number | null
  /** Dimensions that the run shows, with their matching tiers (`dimensionScores`). */
  dimension_scores: readonly { dimension_id: string; percent: number; tier_id: string | null }[]
}

/** Returns what conditions need of a run that ended with this result. */
export const finishedRunOf = (
  snapshot: ScoredQuiz<unknown> & DimensionScoringInput,
  replies: Replies,
  result: { id: string } | null,
): FinishedRun => ({
  replies,
  result_id: result?.id ?? null,
  score: totalScore(snapshot, replies),
  dimension_scores: dimensionScores(snapshot, replies),
})

/** Screen or letter at the end of a run: the end page (also of the preview), or the result mail. */
export type TextSurface = 'page' | 'mail'

/** Fields of a conditional text that decide whether a run shows it. */
export type VariantRule = Pick<
  SnapshotTextVariant,
  'place' | 'result_id' | 'joined_by' | 'conditions'
>

type Questions = Pick<Snapshot, 'questions'>

/**
 * Returns true if a condition holds in a run. A condition on a question that the run skipped, or on an answer that is
 * not offered, does not hold.
 */
export const holds = (condition: Condition, snapshot: Questions, run: FinishedRun): boolean =>
  createConditionCheck(snapshot, run)(condition)

/**
 * Returns the conditional texts that a run shows on this surface, in their order. A text without conditions is never
 * shown. Page, page without JavaScript, preview, mail and statistics use this rule.
 */
export const shownTexts = <V extends VariantRule>(
  snapshot: Questions & { quiz: Pick<Snapshot['quiz'], 'type'>; text_variants?: V[] | undefined },
  surface: TextSurface,
  run: FinishedRun,
): V[] => {
  const { text_variants = [] } = snapshot
  const check = createConditionCheck(snapshot, run)
  return text_variants.filter(
    (variant) => isOnSurface(variant, snapshot, { surface, run }) && isMet(variant, check),
  )
}

/** Returns true if the conditions of a text hold together. `check` tells whether a single condition holds. */
export const isMet = (
  { conditions, joined_by }: Pick<VariantRule, 'conditions' | 'joined_by'>,
  check: (condition: Condition) => boolean,
): boolean =>
  joined_by === 'or' ? conditions.some(check) : conditions.length > 0 && conditions.every(check)

/** Returns true if the place of a text is on this surface of a run. */
export const isOnSurface = (
  { place, result_id }: Pick<VariantRule, 'place' | 'result_id'>,
  { quiz }: { quiz: Pick<Snapshot['quiz'], 'type'> },
  { surface, run }: { surface: TextSurface; run: Pick<FinishedRun, 'result_id'> },
): boolean => {
  if (surface === 'mail' || place === 'mail') return surface === place
  if (quiz.type === 'sondage') return place === 'end'
  if (run.result_id === null) return false
  return place === 'every_result' || (place === 'result' && result_id === run.result_id)
}

/** Returns a function that tells whether a condition holds in a run. */
export const createConditionCheck = (
  { questions }: Questions,
  { replies, result_id, score, dimension_scores }: FinishedRun,
): ((condition: Condition) => boolean) => {
  const isSkipped = createIsPageSkipped(questions, replies)
  const visited = (question_id: string): SnapshotQuestion | undefined => {
    const question = questions.find(({ id }) => id === question_id)
    return question && !isSkipped(question.page_number) ? question : undefined
  }
  return (condition) => {
    switch (condition.kind) {
      case 'answer_chosen':
      case 'answer_not_chosen': {
        const question = visited(condition.question_id)
        const isThis = ({ id }: { id: string }): boolean => id === condition.answer_id
        if (!question?.answers.some(isThis)) return false
        const isChosen = chosenAnswers(question, replies).some(isThis)
        return isChosen === (condition.kind === 'answer_chosen')
      }
      case 'scale_at_least':
      case 'scale_at_most': {
        const question = visited(condition.question_id)
        const number = question ? scaleNumber(question, replies) : null
        if (number === null) return false
        return condition.kind === 'scale_at_least'
          ? number >= condition.number
          : number <= condition.number
      }
      case 'total_between': {
        const { from, to } = condition
        // Pages omit a missing bound, so that it is undefined there.
        return score !== null && (from ?? score) <= score && score <= (to ?? score)
      }
      case 'dimension_tier':
        return dimension_scores.some(
          ({ dimension_id, tier_id }) =>
            dimension_id === condition.dimension_id && tier_id === condition.tier_id,
        )
      case 'dimensions_equal':
        return new Set(dimension_scores.map(({ percent }) => percent)).size === 1
      case 'result':
        return result_id !== null && result_id === condition.result_id
    }
  }
}
