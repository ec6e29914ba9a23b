import type { Question, Result } from '#domain/quiz.ts'
import { type Range, reachableTotals, tierProblems } from '#domain/tiers.ts'
import { resultTint } from '#web/ui/result-colors.ts'

const inWords = ({ from, to }: Range): string => (from === to ? `${from}` : `${from}–${to}`)

/** A bar of the reachable totals with a segment for each tier, and the gaps and overlaps in words. */
export const TiersBar = ({
  results,
  questions,
}: {
  results: readonly Result[]
  questions: readonly Question[]
}) => {
  const reachable = reachableTotals(questions)
  const problems = tierProblems(results, reachable)
  const [from, to] = [Math.min(0, reachable.from), Math.max(reachable.to, ...boundsOf(results), 1)]
  const share = (value: number): string => `${((value - from) / (to - from)) * 100}%`
  const tiers = results.flatMap(({ id, name, min_score, max_score }, index) =>
    min_score === null || max_score === null || min_score > max_score
      ? []
      : [{ id, name, index, from: min_score, to: max_score }],
  )
  return (
    <div className="mt-4 flex flex-col gap-2">
      <p className="text-sm text-ink-2">
        Totaux possibles : de {reachable.from} à {reachable.to}.
      </p>
      {tiers.length > 0 && (
        <div aria-hidden="true" className="relative h-6 overflow-hidden rounded-md bg-press">
          {tiers.map((tier) => (
            <span
              key={tier.id}
              title={`${tier.name} : ${inWords(tier)}`}
              className="result-tint absolute inset-y-0 truncate px-1.5 text-xs leading-6 text-ink"
              style={{
                ...resultTint(tier.index),
                left: share(tier.from),
                width: `max(3px, calc(${share(tier.to)} - ${share(tier.from)}))`,
              }}
            >
              {tier.name}
            </span>
          ))}
        </div>
      )}
      <ul className="text-sm text-warn">
        {problems.map((problem) => (
          <li key={`${problem.kind} ${problem.from} ${problem.to}`}>
            {problem.kind === 'gap'
              ? `${inWords(problem)} n’appartient à aucun résultat : le premier de la liste sera donné.`
              : `${inWords(problem)} appartient à « ${problem.names[0]} » et à « ${problem.names[1]} » : « ${problem.names[0]} » sera donné.`}
          </li>
        ))}
      </ul>
    </div>
  )
}

const boundsOf = (results: readonly Result[]): number[] =>
  results.flatMap(({ max_score }) => max_score ?? [])
