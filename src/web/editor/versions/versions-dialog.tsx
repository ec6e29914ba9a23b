import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { RefusedCall } from '#contract/client.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { useRestore } from './use-restore.ts'
import { VersionRow } from './version-row.tsx'

const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'versions'],
    queryFn: ({ pageParam: before }) => client.versions.list({ id, before }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    staleTime: 0,
    // A quiz that was never published has none.
    retry: (count, error) => count < 1 && !isMissing(error),
  })

const isMissing = (error: Error): boolean => error instanceof RefusedCall && error.status === 404

const LIST_ID = 'published-versions'
const PLACES = ['1', '2', '3']

type Props = { session: DraftSession; onRestore: (text: string) => void }

/** The published versions of a quiz: what each changed, its preview, and the way back to it. */
export const VersionsDialog = ({
  open,
  onClose,
  ...props
}: Props & { open: boolean; onClose: () => void }) => (
  <Dialog title="Versions publiées" open={open} onClose={onClose}>
    <p className="mb-4 text-ink-2">
      Toutes sont gardées. En restaurer une remplace le contenu du brouillon ; vos visiteurs ne la
      verront qu’à la prochaine publication.
    </p>
    <Versions {...props} />
  </Dialog>
)

const Versions = ({ session, onRestore }: Props) => {
  const { id, status } = session.view().draft.quiz
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(
    versionsQuery(id),
  )
  const { restoring, restore } = useRestore(session, { onRestore })
  if (!data) {
    if (!error) return <Skeletons />
    return isMissing(error) ? (
      <p>{error.message}.</p>
    ) : (
      <Failure error={error} busy={isFetching} onRetry={refetch} />
    )
  }
  const versions = data.pages.flatMap((page) => page.versions)
  return (
    <>
      <ol id={LIST_ID} tabIndex={-1} className="flex flex-col divide-y divide-line outline-none">
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            quiz={{ id, status }}
            version={version}
            isRestoring={restoring === version.version}
            onRestore={() => void restore(version.version)}
          />
        ))}
      </ol>
      {error && <Failure error={error} busy={isFetching} onRetry={fetchNextPage} />}
      {hasNextPage && !error && <LoadMore busy={isFetching} onLoad={fetchNextPage} />}
    </>
  )
}

const LoadMore = ({ busy, onLoad }: { busy: boolean; onLoad: () => unknown }) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.getElementById(LIST_ID))
  return (
    <div ref={ref} className="mt-3 flex justify-center">
      <Button busy={busy} onClick={() => void onLoad()}>
        Afficher plus de versions
      </Button>
    </div>
  )
}

const Failure = ({
  error,
  busy,
  onRetry,
}: {
  error: Error
  busy: boolean
  onRetry: () => unknown
}) => (
  <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
    <p role="alert" className="text-bad">
      {errorText(error)}
    </p>
    <Button busy={busy} onClick={() => void onRetry()}>
      Réessayer
    </Button>
  </div>
)

const Skeletons = () => (
  <>
    <p role="status" className="sr-only">
      Chargement...
    </p>
    <div aria-hidden="true" className="appear-late flex flex-col gap-4">
      {PLACES.map((place) => (
        <div key={place} className="h-24 rounded-md bg-press" />
      ))}
    </div>
  </>
)
