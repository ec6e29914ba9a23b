import { Eye, History } from 'lucide-react'
import { useId } from 'react'
import type { ListedVersion } from '#contract/versions.ts'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { formatParticipants } from '#web/statistics/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { versionWords } from './version-words.ts'

/** One published version: when, how many took it, what it changed. */
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
  const words = changes ? versionWords(changes).join(', ') : 'première publication'
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
