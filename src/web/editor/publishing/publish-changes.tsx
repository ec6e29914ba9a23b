import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { versionChanges } from '#domain/publishing/version-changes.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { client } from '#web/api/client.ts'
import { versionChangeLabels } from '#web/editor/versions/version-labels.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { PartFailure, PartSkeleton } from './part-state.tsx'

/** Content of the version that visitors get now, with its number and its date. */
type PublishedVersion = { version: number; published_at: string; snapshot: Snapshot }

const loadPublished = async (id: string): Promise<PublishedVersion | null> => {
  const { versions } = await client.versions.list({ id })
  const current = versions.find(({ is_current }) => is_current)
  if (!current) return null
  const { version, published_at } = current
  const { snapshot } = await client.versions.get({ id, version: String(version) })
  return { version, published_at, snapshot }
}

/** Lists in words what an update changes for visitors. Never blocks the publication. */
export const PublishChanges = ({ draft }: { draft: Draft }) => {
  const { id } = draft.quiz
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['quizzes', id, 'published-version'],
    queryFn: () => loadPublished(id),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (error) {
    const text = 'La liste des modifications n’a pas pu être chargée.'
    return <PartFailure text={text} busy={isFetching} onRetry={refetch} />
  }
  if (data === undefined) return <PartSkeleton text="Chargement des modifications…" />
  return data && <Changes draft={draft} published={data} />
}

const Changes = ({
  draft,
  published: { version, published_at, snapshot },
}: {
  draft: Draft
  published: PublishedVersion
}) => {
  const labels = useMemo(
    () =>
      versionChangeLabels(
        versionChanges(draft.quiz, { before: snapshot, after: takeSnapshot(draft) }),
      ),
    [draft, snapshot],
  )
  return (
    <section aria-label="Modifications à publier" className="mt-4 rounded-xl bg-wash p-4 text-sm">
      <p className="font-medium">
        {`Depuis la version ${version}, publiée le ${formatNamedMoment(published_at)}`}
      </p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {(labels.length > 0 ? labels : ['détails modifiés']).map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </section>
  )
}
