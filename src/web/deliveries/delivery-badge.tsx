import type { DeliveryStatus } from '#domain/delivery.ts'
import { DELIVERY_LABELS } from '#domain/delivery-words.ts'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
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
  provider?: ProviderName
}) => (
  <Badge tone={TONES[status]}>
    {provider && `${PROVIDER_LABELS[provider]}\u00a0: `}
    {DELIVERY_LABELS[status]}
  </Badge>
)
