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
        <h2 id="counting" className="text-lg font-semibold">
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

/** A part of the screen, with a heading by which it is found. */
export const Card = ({
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
  /** What is shown is that of what was asked for before. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

/** What a query of its own gives: a skeleton as high as what comes, or why it could not be read and a way to try again. */
export const Part = <T,>({
  query,
  height,
  children,
}: {
  query: PartState<T>
  /** As a class, so that nothing moves when it comes: 'min-h-40'. */
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

/** Lines where figures will stand. */
const Skeleton = () => (
  <div aria-hidden="true" className="counting-card flex flex-col gap-3 py-2">
    {LINES.map((width) => (
      <span key={width} className={`h-3 rounded bg-press ${width}`} />
    ))}
  </div>
)

/** What a part says while the server counts a large selection. */
export const Counting = () => (
  <div role="status">
    <p className="text-ink-2">Calcul en cours…</p>
    <Skeleton />
  </div>
)
