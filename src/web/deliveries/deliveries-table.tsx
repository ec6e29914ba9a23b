import type { ListedDelivery } from '#contract/forwarding/deliveries.ts'
import { DisappearingButton } from '#web/ui/button.tsx'
import { formatMoment, withZone } from '#web/ui/moments.ts'
import { PersonName } from '#web/ui/person-name.tsx'
import { TableHead } from '#web/ui/table-head.tsx'
import { DeliveryBadge, deliveryTarget, labelsText } from './delivery-labels.tsx'

const CELL = 'border-t border-line px-3 py-2 align-top wrap-anywhere'

/** Id of the scroll container of the table. */
export const DELIVERIES_REGION = 'deliveries-region'

/** Renders one row for each participant and tool or webhook. */
export const DeliveriesTable = ({
  deliveries,
  onRetry,
}: {
  deliveries: readonly ListedDelivery[]
  onRetry: (delivery: ListedDelivery) => void
}) => (
  <table className="w-full min-w-2xl border-separate border-spacing-0 text-sm">
    <caption className="sr-only">Envois, du plus récent au plus ancien</caption>
    <TableHead
      columns={['Email', 'État', 'Outil', 'Résultat', withZone('Date')].map((title) => ({ title }))}
      className="bg-wash px-3 py-2"
    />
    <tbody>
      {deliveries.map((delivery) => (
        <tr key={`${delivery.participant_uuid} ${delivery.connection_id}`}>
          <td className={`${CELL} min-w-36`}>
            <PersonName person={delivery} />
          </td>
          <td className={`${CELL} min-w-44 sm:w-1/3`}>
            <State delivery={delivery} onRetry={onRetry} />
          </td>
          <td className={`${CELL} min-w-32`}>{deliveryTarget(delivery)}</td>
          <td className={`${CELL} min-w-32`} dir="auto">
            {delivery.result_name ?? '-'}
          </td>
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
  const { status, reason, next_attempt_at, attempts, is_replaced, is_removed } = delivery
  return (
    <div className="flex flex-col items-start gap-1">
      <DeliveryBadge status={status} />
      <span className="text-ink-2 empty:hidden">{labelsText(delivery)}</span>
      {reason && <span className="text-ink-2">{reason}</span>}
      {is_replaced && <span className="text-ink-2">Remplacé par un résultat plus récent.</span>}
      {next_attempt_at && attempts > 0 && (
        <span className="text-ink-2">{`Prochaine tentative : ${formatMoment(next_attempt_at)}`}</span>
      )}
      {!is_removed && (status === 'refused' || (status === 'pending' && attempts > 0)) && (
        <DisappearingButton next_id={DELIVERIES_REGION} onClick={() => onRetry(delivery)}>
          Relancer
        </DisappearingButton>
      )}
    </div>
  )
}
