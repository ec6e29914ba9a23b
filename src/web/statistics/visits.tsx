import { useState } from 'react'
import type { Figures } from '#contract/figures.ts'
import { percentageOf } from '#domain/statistics.ts'
import type { FunnelStep } from '#domain/visits.ts'
import { CONTROL, Field } from '#web/ui/field.tsx'
import { formatNumber, formatPercentage, formatShare } from './format.ts'
import { stepText, stoppedAfter } from './visit-words.ts'
import './statistics.css'

type Visited = NonNullable<Figures['visits']>

/** The funnel of the visits of a version (spec §2 « Statistics screen »). */
export const Visits = ({ visits }: { visits: Figures['visits'] }) => {
  const [chosen, choose] = useState<number>()
  if (visits?.length === 0) return null
  const shown = visits?.find(({ version }) => version === chosen) ?? visits?.[0]
  return (
    <section aria-labelledby="visits" className="flex flex-col gap-4">
      <h2 id="visits" className="text-lg font-semibold">
        Où s’arrêtent les visiteurs
      </h2>
      <article className="flex min-w-0 flex-col gap-4 rounded-xl border border-line p-4">
        {visits && visits.length > 1 && shown && (
          <VersionChoice visits={visits} chosen={shown.version} onChoose={choose} />
        )}
        {shown ? (
          <Funnel steps={shown.steps} hasJumps={shown.has_jumps} />
        ) : (
          <p className="text-ink-2">
            Une visite n’a ni email, ni résultat, ni réponse : seules les dates la filtrent.
          </p>
        )}
        <p className="text-sm text-ink-3">
          Compté sans cookie ni identifiant. Qui demande à ne pas être suivi n’est compté que s’il
          termine.
        </p>
      </article>
    </section>
  )
}

const VersionChoice = ({
  visits,
  chosen,
  onChoose,
}: {
  visits: Visited
  chosen: number
  onChoose: (version: number) => void
}) => (
  <Field label="Version publiée">
    {(attributes) => (
      <select
        {...attributes}
        value={chosen}
        onChange={(event) => onChoose(Number(event.currentTarget.value))}
        className={`${CONTROL} h-10 sm:w-60`}
      >
        {visits.map(({ version }) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
      </select>
    )}
  </Field>
)

type Shown = { steps: readonly FunnelStep[]; hasJumps: boolean }

const Funnel = ({ steps, hasJumps }: Shown) => {
  const all = steps[0]?.count ?? 0
  return (
    <>
      <ol className="flex flex-col gap-3">
        {steps.map((step) => {
          const percentage = percentageOf(step.count, all)
          return (
            <li key={stepText(step)}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span>{stepText(step)}</span>
                <span className="ml-auto text-ink-2 tabular-nums">
                  {formatShare(step.count, all)} · {formatPercentage(percentage)}
                </span>
              </p>
              <div aria-hidden="true" className="mt-1 h-2 overflow-hidden rounded-full bg-press">
                <div
                  className="statistics-bar h-full rounded-full bg-brand"
                  style={{ width: `${percentage}%` }}
                />
              </div>
            </li>
          )
        })}
      </ol>
      {hasJumps && (
        <p className="text-sm text-ink-3">
          Des réponses mènent plus loin : chaque page a les visites qui y sont passées.
        </p>
      )}
      <details>
        <summary className="min-h-6 w-fit text-brand">Voir en tableau</summary>
        <StepsTable steps={steps} hasJumps={hasJumps} />
      </details>
    </>
  )
}

const CELL = 'border-t border-line px-3 py-1.5 text-left font-normal'
const HEAD = 'px-3 py-1.5 text-left font-medium text-ink-2'

/** Where pages are left out, the next one's visits do not tell how many stopped. */
const StepsTable = ({ steps, hasJumps }: Shown) => (
  <div className="mt-2 w-fit max-w-full overflow-x-auto rounded-lg border border-line">
    <table className="text-sm">
      <caption className="sr-only">Où s’arrêtent les visiteurs</caption>
      <thead>
        <tr>
          {['Étape', 'Visites', ...(hasJumps ? [] : ['Arrêtées là'])].map((title) => (
            <th key={title} scope="col" className={HEAD}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.map((step, rank) => {
          const stopped = stoppedAfter(steps, rank)
          return (
            <tr key={stepText(step)}>
              <th scope="row" className={CELL}>
                {stepText(step)}
              </th>
              <td className={`${CELL} tabular-nums`}>{formatNumber(step.count)}</td>
              {!hasJumps && (
                <td className={`${CELL} tabular-nums`}>
                  {stopped === null ? '-' : formatShare(stopped, step.count)}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)
