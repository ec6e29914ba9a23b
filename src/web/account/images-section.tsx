import { useQuery } from '@tanstack/react-query'
import { errorText } from '#web/api/error-text.ts'
import { imageUsageQuery } from './account-queries.ts'
import { Section } from './section.tsx'

const megabytes = (bytes: number): string =>
  `${(bytes / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 })} Mo`

/** How much room the pictures take, of what they may take. */
export const ImagesSection = () => {
  const { data, error } = useQuery(imageUsageQuery())
  return (
    <Section title="Images">
      {error && <p className="text-bad">{errorText(error)}</p>}
      <label className="flex flex-col gap-2">
        <span className="tabular-nums">
          {data ? `${megabytes(data.used)} utilisés sur ${megabytes(data.quota)}` : 'Calcul…'}
        </span>
        <progress
          max={data?.quota ?? 1}
          value={data?.used ?? 0}
          className="h-2 w-full accent-brand"
        />
      </label>
      <p className="text-ink-2">
        Une image qui ne sert plus dans aucun questionnaire est effacée au bout de 30 jours.
      </p>
    </Section>
  )
}
