import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { quizSwitchesQuery, totalsQuery } from './integration-queries.ts'

/** Names the tools that refuse the account, for one quiz or for all; renders nothing if no tool refuses. */
export const ReconnectNote = ({ quizId }: { quizId?: string }) => {
  const { data: totals } = useQuery(totalsQuery())
  const refusing = totals?.providers.filter(({ needs_attention }) => needs_attention) ?? []
  const { data: switches } = useQuery({
    ...quizSwitchesQuery(quizId ?? ''),
    enabled: quizId !== undefined && refusing.length > 0,
  })
  const labels = refusing
    .filter(({ provider }) => quizId === undefined || switches?.[provider].enabled)
    .map(({ provider }) => PROVIDER_LABELS[provider])
  if (labels.length === 0) return null
  return (
    <p role="status" className="flex gap-2 rounded-xl bg-warn-wash p-4 text-sm text-ink">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
      <span>
        {`À reconnecter : ${labels.join(', ')}. Les participants attendent, aucun n’est perdu. `}
        <Link to="/settings" className="text-brand underline">
          Ouvrir les paramètres
        </Link>
      </span>
    </p>
  )
}
