import type { DeliveryStatus } from '#domain/delivery.ts'
import { DELIVERY_LABELS } from '#domain/delivery-words.ts'
import { CHANNEL_LABELS } from '#domain/integrations.ts'
import type { ChannelName } from '#domain/vocabulary.ts'
import { Badge } from '#web/ui/badge.tsx'

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
