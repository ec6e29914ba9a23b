import type { ListedDelivery } from '#contract/deliveries.ts'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { DeliveryBadge } from './delivery-badge.tsx'
import { formatMoment } from './format-moment.ts'

const HEAD = 'bg-wash px-3 py-2 text-left font-medium text-ink-2'
const CELL = 'border-t border-line px-3 py-2 align-top wrap-anywhere'

/** One row for each participant and tool. */
export const DeliveriesTable = ({
  deliveries,
  onRetry,
}: {
  deliveries: readonly ListedDelivery[]
  onRetry: (delivery: ListedDelivery) => void
}) => (
  <table className="w-full min-w-2xl border-separate border-spacing-0 text-sm">
    <caption className="sr-only">Envois, du plus récent au plus ancien</caption>
    <thead>
      <tr>
        {['Email', 'État', 'Outil', 'Résultat', 'Date'].map((title) => (
          <th key={title} scope="col" className={HEAD}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {deliveries.map((delivery) => (
        <tr key={`${delivery.participant_uuid} ${delivery.provider}`}>
          <td className={`${CELL} min-w-36`}>{delivery.email ?? '-'}</td>
          <td className={`${CELL} min-w-44 sm:w-1/3`}>
            <State delivery={delivery} onRetry={onRetry} />
          </td>
          <td className={`${CELL} whitespace-nowrap`}>{PROVIDER_LABELS[delivery.provider]}</td>
          <td className={`${CELL} min-w-32`}>{delivery.result_name ?? '-'}</td>
          <td className={`${CELL} whitespace-nowrap tabular-nums`}>
            {formatMoment(delivery.created_at)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const State = ({
  delivery,
  onRetry,
}: {
  delivery: ListedDelivery
  onRetry: (delivery: ListedDelivery) => void
}) => {
  const { status, reason, next_attempt_at, attempts, is_replaced } = delivery
  return (
    <div className="flex flex-col items-start gap-1">
      <DeliveryBadge status={status} />
      {reason && <span className="text-ink-2">{reason}</span>}
      {is_replaced && <span className="text-ink-2">Remplacé par un résultat plus récent.</span>}
      {next_attempt_at && attempts > 0 && (
        <span className="text-ink-2">{`Prochain essai : ${formatMoment(next_attempt_at)}`}</span>
      )}
      {(status === 'refused' || (status === 'pending' && attempts > 0)) && (
        <Button onClick={() => onRetry(delivery)}>Relancer</Button>
      )}
    </div>
  )
}
