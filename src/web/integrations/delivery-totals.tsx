import { useQuery } from '@tanstack/react-query'
import { DELIVERY_STATUSES } from '#domain/delivery.ts'
import { DELIVERY_LABELS } from '#domain/delivery-words.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { totalsQuery } from './integration-queries.ts'

/** The totals of the deliveries of all quizzes to one tool; nothing while there are none. */
export const DeliveryTotals = ({ provider }: { provider: ProviderName }) => {
  const { data } = useQuery(totalsQuery())
  const totals = data?.providers.find((one) => one.provider === provider)
  const parts = DELIVERY_STATUSES.filter((status) => (totals?.[status] ?? 0) > 0)
  if (!totals || parts.length === 0) return null
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {parts.map((status) => `${DELIVERY_LABELS[status]} : ${totals[status]}`).join(' · ')}
    </p>
  )
}
