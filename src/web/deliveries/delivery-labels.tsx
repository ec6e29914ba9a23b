import { type ChannelName, isTool } from '#domain/common/vocabulary.ts'
import type { DeliveryStatus } from '#domain/deliveries/delivery.ts'
import { DELIVERY_LABELS } from '#domain/deliveries/delivery-labels.ts'
import { describeLabels } from '#domain/deliveries/enrolment-kinds.ts'
import { CHANNEL_LABELS } from '#domain/deliveries/integrations.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** Returns the French list of what a delivery applied, by kind; '' if nothing. */
export const labelsText = ({
  provider,
  labels,
  enrolments,
}: {
  provider: ChannelName
  labels: readonly string[]
  enrolments: Parameters<typeof describeLabels>[2]
}): string => (isTool(provider) ? describeLabels(provider, labels, enrolments) : '')

/** Returns the name of a target of deliveries: the tool, or the host and path of a webhook. */
export const deliveryTarget = ({
  provider,
  url,
}: {
  provider: ChannelName
  url: string | null
}): string => {
  const label = CHANNEL_LABELS[provider]
  return url === null ? label : `${label} : ${url.replace(/^https?:\/\//, '')}`
}

const TONES: Record<DeliveryStatus, 'ok' | 'warn' | 'neutral' | 'info'> = {
  delivered: 'ok',
  pending: 'info',
  refused: 'warn',
  suppressed: 'neutral',
  no_consent: 'neutral',
  no_email: 'neutral',
  awaiting_confirmation: 'info',
  not_confirmed: 'neutral',
}

/** Renders the state of a participant's delivery, with the tool's name if the participant has several deliveries. */
export const DeliveryBadge = ({
  status,
  provider,
}: {
  status: DeliveryStatus
  provider?: ChannelName
}) => (
  <Badge tone={TONES[status]}>
    {provider && `${CHANNEL_LABELS[provider]}\u00a0: `}
    {DELIVERY_LABELS[status]}
  </Badge>
)
