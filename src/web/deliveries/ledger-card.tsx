import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { Ledger } from '#contract/forwarding/deliveries.ts'
import { settingsPath } from '#domain/common/settings-path.ts'
import { type ChannelName, isTool } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '#domain/deliveries/delivery.ts'
import { DELIVERY_LABELS } from '#domain/deliveries/delivery-labels.ts'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { DisappearingButton } from '#web/ui/button.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { deliveryTarget } from './delivery-labels.tsx'
import { TestForm } from './test-form.tsx'

/** Renders the deliveries of all participants to one tool or webhook, as a sum that balances. */
export const LedgerCard = ({
  quizId,
  ledger,
  nbNotAsked,
  onRetry,
  isRetrying,
}: {
  quizId: string
  ledger: Ledger
  nbNotAsked: number
  onRetry: () => void
  isRetrying: boolean
}) => {
  const { provider, balance, check, message, connection } = ledger
  const label = deliveryTarget(ledger)
  const title = useId()
  return (
    <section
      aria-label={label}
      className="flex min-w-0 flex-col gap-3 rounded-xl border border-line p-4"
    >
      <h2 id={title} tabIndex={-1} className="text-base font-semibold wrap-anywhere">
        {label}
      </h2>
      {message && (
        <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          <span>
            {message} Les participants attendent, aucun n’est perdu.{' '}
            <Link
              to={settingsPath(quizId, isTool(provider) ? 'integrations' : 'automatisations')}
              className="text-brand underline"
            >
              Ouvrir les réglages
            </Link>
          </span>
        </p>
      )}
      <p className="text-sm tabular-nums">{equationOf(ledger, nbNotAsked)}</p>
      {check && (
        <p className="text-xs text-ink-3 tabular-nums">
          {`Vérifié le ${formatNamedMoment(check.checked_at)} : ${formatParticipants(check.nb_checked)} ${check.nb_checked > 1 ? 'contrôlés' : 'contrôlé'}, ${check.nb_missing} ${check.nb_missing > 1 ? 'envois manquaient' : 'envoi manquant'}.`}
        </p>
      )}
      {balance.refused > 0 && (
        <DisappearingButton
          next_id={title}
          className="self-start"
          busy={isRetrying}
          onClick={onRetry}
        >
          Relancer les envois refusés
        </DisappearingButton>
      )}
      {isTool(provider) && connection === 'active' && (
        <TestForm quizId={quizId} provider={provider} />
      )}
    </section>
  )
}

/** Statuses whose French label takes an `s` in the plural. */
const STATUSES_WITH_PLURAL: readonly DeliveryStatus[] = ['delivered', 'refused', 'suppressed']

const wordOf = (status: DeliveryStatus, count: number): string => {
  const word = DELIVERY_LABELS[status].toLowerCase()
  return count > 1 && STATUSES_WITH_PLURAL.includes(status) ? `${word}s` : word
}

/** Reasons why participants have no delivery to a channel that is not a tool. */
const NOT_SENT_REASONS: Partial<Record<ChannelName, string>> = {
  webhook: 'avant l’ajout du webhook',
  mail: 'envoi alors désactivé',
  notice: 'envoi alors désactivé',
  confirmation: 'confirmation alors désactivée',
}

/**
 * Returns the sum as text: « 7 participants = 3 envoyés + 4 sans email ». Zeros are left out, except for « envoyés ».
 */
const equationOf = ({ balance, provider }: Ledger, nbNotAsked: number): string => {
  const { nb_participants, not_forwarded } = balance
  const parts = (['delivered', ...DELIVERY_STATUSES] as const)
    .filter((status, index, all) => all.indexOf(status) === index)
    .filter((status) => balance[status] > 0 || status === 'delivered')
    .map((status) => `${balance[status]} ${wordOf(status, balance[status])}`)
  // The two numbers are counted separately, so participants may be added or deleted in between.
  const notAsked = Math.min(nbNotAsked, not_forwarded)
  const toolOff = not_forwarded - notAsked
  if (toolOff > 0)
    parts.push(`${toolOff} hors envoi (${NOT_SENT_REASONS[provider] ?? 'outil alors non activé'})`)
  if (notAsked > 0) parts.push(`${notAsked} hors envoi (accord non demandé)`)
  const noun = nb_participants > 1 ? 'participants' : 'participant'
  return `${nb_participants} ${noun} = ${parts.join(' + ')}`
}
