import { useId } from 'react'
import type { Result } from '#domain/questionnaire/quiz.ts'
import { distributeTiers, type Range, tierProblems } from '#domain/questionnaire/tiers.ts'
import { boundId, thresholdId } from '#web/editor/fields/field-ids.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readThreshold } from '#web/editor/fields/parse-numbers.ts'
import { keepFocusInView } from '#web/editor/fields/scrolling.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Button } from '#web/ui/button.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { resultColorStyle } from '#web/ui/result-colors.ts'
import { formatTotalRange } from './tiers-bar.tsx'

type Props = {
  results: readonly Result[]
  /** Totals that are possible with the current scores. */
  reachable: Range
  change: ChangeQuestions
}

/** Shows the score thresholds of each result in score mode (product 7.11). */
const ThresholdsPanel = ({ results, reachable, change }: Props) => {
  const problems = tierProblems(results, reachable)
  return (
    <div data-tiers className="flex flex-col gap-3">
      <p className="text-xs text-ink-2">
        <HelpLink about="paliers" page="paliers" />
        Le premier résultat dont le palier contient le total est affiché. Totaux possibles : de{' '}
        {reachable.from} à {reachable.to}.
      </p>
      <Spread results={results} reachable={reachable} change={change} />
      {results.length === 0 && (
        <p className="text-ink-2">Créez d’abord des résultats à l’étape 1.</p>
      )}
      <ul className="flex flex-col gap-3">
        {results.map((result, index) => (
          <Tier key={result.id} result={result} index={index} change={change} />
        ))}
      </ul>
      <ul className="flex flex-col gap-1 text-sm text-warn empty:hidden">
        {problems.map((problem) => (
          <li key={`${problem.kind} ${problem.from} ${problem.to}`}>
            {problem.kind === 'gap'
              ? `${formatTotalRange(problem)} n’appartient à aucun résultat : le premier de la liste sera donné.`
              : `${formatTotalRange(problem)} appartient à « ${problem.names[0]} » et à « ${problem.names[1]} » : « ${problem.names[0]} » sera donné.`}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows a button that divides the possible totals evenly between the results. */
const Spread = ({ results, reachable, change }: Props) => {
  const id = useId()
  const tiers = distributeTiers(results.length, reachable)
  return (
    <>
      <Button
        className="self-start"
        disabled={tiers === null}
        aria-describedby={tiers === null ? id : undefined}
        title="Répartir les totaux possibles entre les résultats, à parts égales"
        onClick={({ currentTarget }) => {
          if (!tiers) return
          currentTarget.focus()
          change({ type: 'tiers_spread', tiers })
          // The odds above appear with the first tiers.
          keepFocusInView('[data-tiers]')
        }}
      >
        Répartir
      </Button>
      {tiers === null && (
        <p id={id} className="w-full text-xs text-ink-2">
          Il y a moins de totaux possibles que de résultats : saisissez d’abord les scores.
        </p>
      )}
    </>
  )
}

const Tier = ({
  result: { id: result_id, name, min_score, max_score },
  index,
  change,
}: {
  result: Result
  index: number
  change: ChangeQuestions
}) => {
  const isReversed = min_score !== null && max_score !== null && min_score > max_score
  // The first missing bound has the id that publish errors lead to.
  const missing_id = thresholdId(result_id)
  return (
    <li className="flex flex-col gap-1">
      <span
        style={resultColorStyle(index)}
        className="result-tint rounded-sm px-2 py-0.5 text-sm font-medium wrap-anywhere"
        dir="auto"
      >
        {name}
      </span>
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <NumberField
            id={min_score === null ? missing_id : boundId('minimum', result_id)}
            label={`Minimum – ${name}`}
            hideLabel
            min={0}
            placeholder="0"
            value={min_score}
            onType={(typed) =>
              change({ type: 'threshold_set', result_id, min_score: readThreshold(typed) })
            }
          />
        </div>
        <span aria-hidden="true">à</span>
        <div className="min-w-0 flex-1">
          <NumberField
            id={
              min_score !== null && max_score === null ? missing_id : boundId('maximum', result_id)
            }
            label={`Maximum – ${name}`}
            hideLabel
            min={0}
            placeholder="100"
            value={max_score}
            onType={(typed) =>
              change({ type: 'threshold_set', result_id, max_score: readThreshold(typed) })
            }
          />
        </div>
      </div>
      {isReversed && (
        <p className="text-sm text-bad">
          Le minimum dépasse le maximum : ce résultat ne sera jamais atteint.
        </p>
      )}
    </li>
  )
}

export default ThresholdsPanel
