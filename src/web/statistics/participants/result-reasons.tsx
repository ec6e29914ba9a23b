import type { Explanation } from '#domain/run/explanation.ts'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { NO_REPLY } from '#web/statistics/format/format.ts'
import { conclusionOf, pointsText, standingText } from './participant-labels.ts'

/** Renders the points of each answer and the standing of each result, below the conclusion. */
export const Reasons = ({ explanation }: { explanation: Explanation }) => {
  const { contributions, standings } = explanation
  const keys = distinctKeys(contributions.map(({ question_text }) => question_text))
  const names = distinctKeys(standings.map(({ result_name }) => result_name))
  return (
    <div className="flex flex-col gap-5">
      <p className="font-medium wrap-anywhere">{conclusionOf(explanation)}</p>
      {contributions.length > 0 && (
        <section aria-labelledby="contributions">
          <h3 id="contributions" className="font-semibold">
            Ce que chaque réponse a apporté
          </h3>
          <ul className="mt-2 flex flex-col divide-y divide-line">
            {contributions.map((contribution, index) => (
              <li key={keys[index]} className="py-2">
                <p className="text-ink-2 wrap-anywhere" dir="auto">
                  {contribution.question_text}
                </p>
                <p className="flex flex-wrap justify-between gap-x-4">
                  <span className="min-w-0 wrap-anywhere" dir="auto">
                    {contribution.answer_text || NO_REPLY}
                  </span>
                  <span className="ml-auto font-medium tabular-nums">
                    {pointsText(contribution)}
                  </span>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {standings.length > 0 && (
        <section aria-labelledby="standings">
          <h3 id="standings" className="font-semibold">
            Les résultats possibles
          </h3>
          <ol className="mt-2 flex flex-col divide-y divide-line">
            {standings.map((standing, index) => (
              <li
                key={names[index]}
                className={`flex flex-wrap justify-between gap-x-4 py-2 ${standing.is_reached ? 'font-semibold' : ''}`}
              >
                <span className="min-w-0 wrap-anywhere" dir="auto">
                  {standing.result_name}
                </span>
                <span className="ml-auto text-ink-2 tabular-nums">{standingText(standing)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}
