import { isBlankText } from '#domain/blank-text.ts'
import type { Draft } from '#domain/quiz.ts'

/** What a quiz lacks without which its odds would say nothing, in words; undefined when nothing is missing. */
export const missingForOdds = ({ results, questions, quiz_mode }: Draft): string | undefined => {
  if (results.length === 0) return 'Créez d’abord des résultats à l’étape 1.'
  if (!questions.some(({ text }) => !isBlankText(text)))
    return 'Les chances de chaque résultat s’affichent ici dès la première question.'
  if (!quiz_mode)
    return 'Les chances de chaque résultat s’affichent ici dès le premier score ou la première association.'
  const lacksTiers = results.some(
    ({ min_score, max_score }) => min_score === null || max_score === null,
  )
  if (quiz_mode === 'score' && lacksTiers)
    return 'Les chances de chaque résultat s’affichent ici dès que chacun a son palier.'
  return undefined
}
