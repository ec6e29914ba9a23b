import type { NeverShown, TextOdds } from '#domain/odds/text-odds.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import { probabilityLabel } from '#web/odds/odds-labels.ts'
import { conditionClause } from './conditions.ts'

const listFormat = new Intl.ListFormat('fr-FR', { type: 'conjunction' })

/** Returns a sentence about the share of the runs that show a text, with the reason if no run does. */
export const shareSentence = (
  { probability, is_exact, why_never }: TextOdds,
  variant: TextVariant,
  draft: Draft,
): string => {
  const share = `${is_exact ? '' : '≈ '}${probabilityLabel(probability)}`
  const sentence = `Montré à ${share} des parcours`
  return why_never ? `${sentence} : ${neverReason(why_never, variant, draft)}.` : `${sentence}.`
}

/** Returns the reason why no run shows a text as a clause. */
const neverReason = (why: NeverShown, variant: TextVariant, draft: Draft): string => {
  switch (why.kind) {
    case 'result': {
      const name = draft.results.find(({ id }) => id === variant.result_id)?.name
      return name === undefined ? 'aucun résultat ne le montre' : `« ${name} » ne peut pas sortir`
    }
    case 'together':
      return 'aucun parcours ne remplit toutes ses conditions à la fois'
    case 'conditions': {
      const numbers = numbersOf(draft)
      const clauses = why.indexes.flatMap((index) => {
        const condition = variant.conditions[index]
        if (!condition) return []
        const clause = conditionClause(condition, draft, numbers)
        if (condition.kind !== 'total_between') return [clause]
        const { from, to } = reachableTotals(draft.questions)
        return [`${clause} (le total va de ${from} à ${to})`]
      })
      return `aucun parcours ne remplit la condition ${listFormat.format(clauses)}`
    }
  }
}
