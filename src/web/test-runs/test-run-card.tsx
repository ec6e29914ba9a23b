import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedTestRun } from '#contract/test-runs.ts'
import { errorText } from '#web/api/error-text.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { testRunQuery } from './queries.ts'
import { TestPlaceSection } from './test-place-section.tsx'

/** One test run, which is read once it is opened; the newest is. */
export const TestRunCard = ({
  quizId,
  run,
  isNewest,
}: {
  quizId: string
  run: ListedTestRun
  isNewest: boolean
}) => {
  const [isOpen, setOpen] = useState(isNewest)
  return (
    <li>
      <details
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        className="rounded-xl border border-line bg-card"
      >
        <summary className="min-h-11 cursor-pointer rounded-xl px-4 py-2.5 wrap-anywhere">
          <h2 className="inline text-base font-semibold">{formatNamedMoment(run.created_at)}</h2>{' '}
          <span className="text-ink-2">
            {[run.result_name ?? 'Sans résultat', run.email].filter(Boolean).join(' · ')}
          </span>
        </summary>
        {isOpen && <TestRunDetail quizId={quizId} runId={run.id} />}
      </details>
    </li>
  )
}

const TestRunDetail = ({ quizId, runId }: { quizId: string; runId: string }) => {
  const { data, error } = useQuery(testRunQuery(quizId, runId))
  if (!data)
    return (
      <p role={error ? 'alert' : 'status'} className={`p-4 ${error ? 'text-bad' : 'text-ink-2'}`}>
        {error ? errorText(error) : 'Chargement...'}
      </p>
    )
  const { run, places } = data
  return (
    <div className="flex flex-col gap-4 border-t border-line p-4">
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        {run.replies.map(({ question, answer }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have the same text
          <div key={`${index} ${question}`} className="contents">
            <dt className="text-ink-2 wrap-anywhere" dir="auto">
              {question}
            </dt>
            <dd className="mb-2 wrap-anywhere sm:mb-0" dir="auto">
              {answer}
            </dd>
          </div>
        ))}
      </dl>
      {places.length === 0 && (
        <p className="text-sm">
          Rien ne serait envoyé : aucun outil n’est connecté, et ce quiz n’a pas de webhook.
        </p>
      )}
      {places.map((place) => (
        <TestPlaceSection key={place.connection_id} place={place} />
      ))}
    </div>
  )
}
