import { Button } from '#web/ui/button.tsx'
import { type QuizFigures, totalsOf } from './quiz-figures.ts'

type Props = {
  /** Of the questionnaires that are listed; null when they could not be read, undefined until they are. */
  figures: readonly QuizFigures[] | null | undefined
  onRetry: () => unknown
}

/** The totals of all questionnaires; while they are read, the space that they will take. */
export const DashboardTotals = ({ figures, onRetry }: Props) => {
  const retry = (): void => {
    // This button is removed once the figures are there.
    document.querySelector('h1')?.focus()
    void onRetry()
  }
  if (figures === null)
    return (
      <div role="status" className="mt-1.5 flex flex-wrap items-center gap-3 text-ink-2">
        Les chiffres n’ont pas pu être chargés.
        <Button onClick={retry}>Recharger les chiffres</Button>
      </div>
    )
  return (
    <p
      className={`mt-1.5 flex min-h-5 flex-wrap gap-x-7 gap-y-1 text-ink-2 tabular-nums ${figures ? '' : 'invisible'}`}
    >
      {totalsOf(figures ?? []).map(({ key, value, words, title }) => (
        <span key={key} title={title}>
          <b className="font-semibold text-ink">{value}</b> {words}
        </span>
      ))}
    </p>
  )
}
