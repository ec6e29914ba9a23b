import type { ListedAutomation } from '#contract/forwarding/automations.ts'
import { cutText } from '#domain/common/text.ts'
import { LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'

/** Result without a rule that gives a tag or a list, with the name of its new tag or list. */
export type MissingRule = { result_id: string; label_name: string }

const SEPARATOR = ' – '

/**
 * Returns the results that have no rule with a tag, or a list at Brevo, of a tool. The new label is named after the quiz
 * and the result, because two quizzes may have results of the same name. A long name of the quiz is cut.
 */
export const missingRules = (
  { quiz, results }: { quiz: { name: string }; results: readonly Pick<Result, 'id' | 'name'>[] },
  rules: readonly Pick<ListedAutomation, 'provider' | 'result_id' | 'label_kind'>[],
  provider: ProviderName,
): MissingRule[] => {
  const ruled = new Set(
    rules
      .filter((rule) => rule.provider === provider && rule.label_kind === null)
      .map(({ result_id }) => result_id),
  )
  return results
    .filter(({ id }) => !ruled.has(id))
    .map(({ id, name }) => {
      const own = cutText(name.trim(), LIMITS.label_name - SEPARATOR.length - 1)
      const room = LIMITS.label_name - SEPARATOR.length - own.length
      return {
        result_id: id,
        label_name: `${cutText(quiz.name.trim(), room).trim()}${SEPARATOR}${own}`,
      }
    })
}
