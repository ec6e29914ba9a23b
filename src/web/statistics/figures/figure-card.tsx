import { formatNamedMoment } from '#web/ui/moments.ts'
import '#web/statistics/statistics.css'
import type { ReactNode } from 'react'
import { errorText } from '#web/api/error-text.ts'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'

const CARDS = ['results', 'scores', 'days', 'questions']

/** Shows when the figures were counted, or a placeholder before the first count. */
export const CountingNote = ({ countedAt }: { countedAt: string | null }) =>
  countedAt === null ? (
    <section aria-busy="true" aria-labelledby="counting" className="flex flex-col gap-4">
      <div role="status">
        <h2 id="counting" tabIndex={-1} className="text-lg font-semibold">
          Calcul en cours…
        </h2>
        <p className="text-ink-2">
          Cette sélection compte beaucoup de participants : leurs réponses sont déjà dans le
          tableau, les chiffres s’afficheront ici dans quelques secondes.
        </p>
      </div>
      <div aria-hidden="true" className="grid gap-4 lg:grid-cols-2">
        {CARDS.map((card) => (
          <div
            key={card}
            className="counting-card flex flex-col gap-3 rounded-xl border border-line p-4"
          >
            <span className="h-4 w-2/5 rounded bg-press" />
            <span className="h-2.5 w-full rounded bg-press" />
            <span className="h-2.5 w-4/5 rounded bg-press" />
            <span className="h-2.5 w-3/5 rounded bg-press" />
          </div>
        ))}
      </div>
    </section>
  ) : (
    <p role="status" className="rounded-xl bg-brand-wash px-4 py-3">
      Chiffres de {formatNamedMoment(countedAt, 'seconds')}, mise à jour en cours…
    </p>
  )

/** Renders a part of the screen with a heading. */
export const FigureCard = ({
  id,
  title,
  action,
  className = '',
  children,
}: {
  id: string
  title: string
  action?: ReactNode
  className?: string
  children: ReactNode
}) => (
  <section
    aria-labelledby={id}
    className={`flex min-w-0 break-inside-avoid flex-col gap-3 rounded-xl bg-card p-4 shadow-card sm:p-5 ${className}`}
  >
    <div className="flex flex-wrap items-center justify-between gap-2">
      <h2
        id={id}
        tabIndex={-1}
        className="text-base leading-6 font-semibold wrap-anywhere"
        dir="auto"
      >
        {title}
      </h2>
      {action}
    </div>
    {children}
  </section>
)

type PartState<T> = {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  /** True if the shown data belongs to the previous filters. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

/** Renders the data of a query: a skeleton of the expected height, then the data, or an error with a retry button. */
export const LoadedFigure = <T,>({
  query,
  height,
  children,
}: {
  query: PartState<T>
  /** Height class that reserves the space of the data: 'min-h-40'. */
  height: string
  children: (data: T) => ReactNode
}) => {
  const { data, error, isFetching, isPlaceholderData } = query
  return (
    <div
      className={`${height} ${isPlaceholderData ? 'loading-part' : ''}`}
      aria-busy={isFetching || undefined}
    >
      {error && (
        <div className="pb-3">
          <LoadFailure text={errorText(error)} query={query} />
        </div>
      )}
      {data === undefined ? !error && <Skeleton /> : children(data)}
    </div>
  )
}

const LINES = ['w-2/5', 'w-full', 'w-4/5', 'w-3/5']

/** Renders lines in the place of figures. */
const Skeleton = () => (
  <div aria-hidden="true" className="counting-card flex flex-col gap-3 py-2">
    {LINES.map((width) => (
      <span key={width} className={`h-3 rounded bg-press ${width}`} />
    ))}
  </div>
)

/** Renders the text of a part while the server counts a large selection. */
export const CountingText = () => (
  <div role="status">
    <p className="text-ink-2">Calcul en cours…</p>
    <Skeleton />
  </div>
)
