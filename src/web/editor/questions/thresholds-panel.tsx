import type { Question, Result } from '#domain/quiz.ts'
import { thresholdId } from '#web/editor/publish-targets.ts'
import { readThreshold } from './new-items.ts'
import { NumberField } from './number-field.tsx'
import { TiersBar } from './tiers-bar.tsx'
import type { ChangeQuestions } from './use-questions.ts'

/** The score thresholds of each result, in score mode (spec §2 « Paliers de score »). */
export const ThresholdsPanel = ({
  results,
  questions,
  change,
}: {
  results: readonly Result[]
  questions: readonly Question[]
  change: ChangeQuestions
}) => (
  <section aria-labelledby="thresholds" className="rounded-xl border border-line p-4">
    <h2 id="thresholds" className="text-lg font-semibold">
      Paliers de score
    </h2>
    <p className="mt-1 text-ink-2">
      Le premier résultat dont le palier contient le total est affiché.
    </p>
    {results.length === 0 && (
      <p className="mt-3 text-ink-2">Créez d’abord des résultats à l’étape 1.</p>
    )}
    <ul className="mt-3 flex flex-col gap-3">
      {results.map(({ id: result_id, name, min_score, max_score }) => {
        const isReversed = min_score !== null && max_score !== null && min_score > max_score
        // A publish error leads to the missing bound.
        const missing_id = thresholdId(result_id)
        return (
          <li key={result_id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="w-full font-medium break-words sm:w-auto sm:min-w-40 sm:flex-1">
              {name}
            </span>
            <div className="w-28">
              <NumberField
                id={min_score === null ? missing_id : undefined}
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
            <div className="w-28">
              <NumberField
                id={min_score === null ? undefined : missing_id}
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
            {isReversed && (
              <p className="w-full text-sm text-bad">
                Le minimum dépasse le maximum : ce résultat ne sera jamais atteint.
              </p>
            )}
          </li>
        )
      })}
    </ul>
    {results.length > 0 && <TiersBar results={results} questions={questions} />}
  </section>
)
