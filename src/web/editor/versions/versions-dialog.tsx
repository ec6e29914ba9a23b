import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Eye, History } from 'lucide-react'
import { useId, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import type { ListedVersion } from '#contract/versions.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { errorText, saveErrorText } from '#web/api/error-text.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { previewState } from '#web/preview/preview-path.ts'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { restoreIntoDraft } from './restore-into-draft.ts'
import {
  missingImagesText,
  restoredText,
  unchangedVersionText,
  versionChangeLabels,
} from './version-labels.ts'

const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'versions'],
    queryFn: ({ pageParam: before }) => client.versions.list({ id, before }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    staleTime: 0,
    // A 404 means that the quiz was never published, so a retry is useless.
    retry: (count, error) => count < 1 && !isMissing(error),
  })

const isMissing = (error: Error): boolean => error instanceof RefusedCall && error.status === 404

const LIST_ID = 'published-versions'
const PLACES = ['1', '2', '3']

type Props = { session: DraftSession; onRestore: (text: string) => void }

/** Lists the published versions of a quiz with their changes, a preview and a button that restores them. */
export const VersionsDialog = ({
  open,
  onClose,
  ...props
}: Props & { open: boolean; onClose: () => void }) => (
  <Dialog title="Versions publiées" open={open} onClose={onClose}>
    <HelpLink about="versions" page="publier#les-versions" />
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

/** Shows one published version: its date, its number of participants and its changes. */
export const VersionRow = ({
  quiz,
  version: { version, published_at, nb_responses, is_current, changes },
  isRestoring,
  onRestore,
}: {
  quiz: Pick<Quiz, 'id' | 'status'>
  version: ListedVersion
  isRestoring: boolean
  onRestore: () => void
}) => {
  const id = useId()
  const words = changes ? versionChangeLabels(changes).join(', ') : 'première publication'
  return (
    <li className="flex flex-col gap-1.5 py-4 first:pt-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={id} className="font-semibold">
          {`Version ${version}`}
        </h3>
        {is_current && isPublished(quiz) && <Badge tone="ok">En ligne</Badge>}
      </div>
      <p className="text-sm text-ink-2 tabular-nums">
        {`Publiée le ${formatNamedMoment(published_at)} · ${formatParticipants(nb_responses)}`}
      </p>
      <p className="text-sm wrap-anywhere first-letter:uppercase">{words || 'détails modifiés'}</p>
      <div className="mt-1 flex flex-wrap gap-2">
        <ButtonLink
          to={`/quiz/${quiz.id}/preview?version=${version}`}
          state={previewState()}
          aria-describedby={id}
          icon={<Eye aria-hidden="true" />}
        >
          Voir
        </ButtonLink>
        <Button
          aria-describedby={id}
          busy={isRestoring}
          onClick={onRestore}
          icon={<History aria-hidden="true" />}
        >
          Restaurer dans le brouillon
        </Button>
      </div>
    </li>
  )
}

/** Returns a function that restores a version into the draft as one undo step. */
export const useRestore = (
  session: DraftSession,
  { onRestore }: { onRestore: (text: string) => void },
): { restoring: number | null; restore: (version: number) => Promise<void> } => {
  const { alert } = useDialogs()
  const [restoring, setRestoring] = useState<number | null>(null)

  const restore = async (version: number): Promise<void> => {
    setRestoring(version)
    try {
      const { id } = session.view().draft.quiz
      const { snapshot, ...lost } = await client.versions.get({ id, version: String(version) })
      const before = session.view().draft
      const restored = restoreIntoDraft(before, snapshot, { ...lost, createId: newId })
      if (restored === before) {
        await alert(unchangedVersionText(version), { title: 'Rien à restaurer' })
        return
      }
      // Called before the change, because the toast belongs to the next change.
      onRestore(restoredText(version))
      session.change(() => restored, { undoGroupKey: null, ...AUTOSAVE_KINDS.version })
      if (lost.missing_image_ids.length > 0)
        await alert(missingImagesText(lost.missing_image_ids.length), { title: 'Images absentes' })
    } catch (error) {
      await alert(saveErrorText(error instanceof Error ? error : new Error(String(error))), {
        title: 'Non restaurée',
      })
    } finally {
      setRestoring(null)
    }
  }
  return { restoring, restore }
}
