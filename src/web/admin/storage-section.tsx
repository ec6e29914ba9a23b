import { useQuery } from '@tanstack/react-query'
import { Section } from '#web/account/section.tsx'
import { errorText } from '#web/api/error-text.ts'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { formatBytes } from './admin-labels.ts'
import { storageQuery } from './admin-queries.ts'
import { Fact, Facts, Skeleton } from './facts.tsx'

/** Renders the used space, and the creators that use most of it. */
export const StorageSection = () => {
  const query = useQuery(storageQuery())
  const { data, error } = query
  return (
    <Section title="Place">
      {error && <LoadFailure text={errorText(error)} query={query} />}
      {!data && !error && <Skeleton lines={2} />}
      {data && (
        <>
          <Facts>
            <Fact name="Base de données">{formatBytes(data.database_bytes)}</Fact>
            <Fact name="dont images">{formatBytes(data.images_bytes)}</Fact>
            <Fact name="dont versions publiées">{formatBytes(data.versions_bytes)}</Fact>
            <Fact name="Limite d’images par compte">{formatBytes(data.image_quota_bytes)}</Fact>
            <Fact name="Limite de versions par compte">
              {formatBytes(data.version_quota_bytes)}
            </Fact>
          </Facts>
          <h3 className="text-sm font-semibold">Comptes qui prennent le plus de place</h3>
          <Largest largest={data.largest} />
        </>
      )}
    </Section>
  )
}

const Largest = ({
  largest,
}: {
  largest: { id: string; email: string | null; bytes: number }[] | null
}) => {
  if (largest === null) return <p className="text-ink-2">La base a mis trop de temps à répondre.</p>
  if (largest.length === 0)
    return <p className="text-ink-2">Aucun compte n’a encore d’image ni de version publiée.</p>
  return (
    <ul className="flex flex-col divide-y divide-line">
      {largest.map(({ id, email, bytes }) => (
        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0 wrap-anywhere" dir="auto">
            {email ?? id}
          </span>
          <span className="text-ink-2 tabular-nums">{formatBytes(bytes)}</span>
        </li>
      ))}
    </ul>
  )
}
