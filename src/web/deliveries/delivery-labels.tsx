import type { ChannelName } from '#domain/common/vocabulary.ts'
import { DELIVERY_LABELS, type DeliveryStatus } from '#domain/deliveries/delivery.ts'
import { CHANNEL_LABELS } from '#domain/deliveries/integrations.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** Which tags or lists a delivery applied, in words. */
export const labelsText = ({
  provider,
  labels,
}: {
  provider: ChannelName
  labels: readonly string[]
}): string => {
  const one = provider === 'brevo' ? 'Liste' : 'Tag'
  return `${one}${labels.length > 1 ? 's' : ''} : ${labels.join(', ')}`
}

/** Where deliveries go, in words: the tool, or a webhook by its host and path. */
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
}

/** What became of a participant at a tool, with the tool's name where several may stand together. */
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
