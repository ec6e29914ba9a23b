import type { Answer, Result } from './quiz.ts'
import type { ResultRef } from './text-format-answers.ts'
import type { TextErrors } from './text-format-errors.ts'
import { Misread, quoted } from './text-format-signs.ts'

/** The results that the answer of a line counts for, as it calls them. */
export type NamedLinks = { line: number; answer: Answer; refs: readonly ResultRef[] }

const MOST_LISTED = 6

/** Links answers to the results that their lines name, once all results are known. */
export const resolveLinks = (
  all: readonly NamedLinks[],
  results: readonly Result[],
  errors: TextErrors,
): void => {
  const ranks = Map.groupBy(results.keys(), (rank) => results[rank]?.name)
  const find = ({ name, rank }: ResultRef): Result => {
    if (rank !== null) {
      const found = results[rank - 1]
      if (found) return found
      throw new Misread(`#${rank} n’est le rang d’aucun résultat : il y en a ${results.length}.`)
    }
    const [first, ...others] = ranks.get(name) ?? []
    const found = first === undefined ? undefined : results[first]
    if (first === undefined || !found) throw new Misread(unknownName(name, results))
    if (others.length === 0) return found
    const written = [first, ...others].map((one) => `#${one + 1}`)
    throw new Misread(
      `${written.length} résultats s’appellent ${quoted(name)} : écrivez ${written.join(' ou ')}.`,
    )
  }
  for (const { line, answer, refs } of all) {
    if (errors.isFull()) return
    errors.attempt(
      line,
      () => {
        for (const ref of refs) {
          const { id: result_id, name } = find(ref)
          if (answer.associations.some((link) => link.result_id === result_id))
            throw new Misread(`Le résultat ${quoted(name)} est nommé deux fois.`)
          const id = `${answer.id} ${result_id}`
          const { weight } = ref
          answer.associations.push({
            id,
            answer_id: answer.id,
            result_id,
            weight,
            is_checked: true,
          })
        }
      },
      undefined,
    )
  }
}

const unknownName = (name: string, results: readonly Result[]): string => {
  const unknown = `${quoted(name)} n’est le nom d’aucun résultat`
  if (results.length === 0) return `${unknown} : ils s’écrivent sous « ## Résultats ».`
  const names = results.slice(0, MOST_LISTED).map((result) => quoted(result.name))
  const more = results.length > MOST_LISTED ? '…' : ''
  return `${unknown} : ${names.join(', ')}${more}. Une virgule d’un nom s’écrit « \\, ».`
}
