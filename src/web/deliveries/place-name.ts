import { CHANNEL_LABELS } from '#domain/integrations.ts'
import type { ChannelName } from '#domain/vocabulary.ts'

/** Where deliveries go, in words: the tool, or a webhook by its host and path. */
export const placeName = ({
  provider,
  url,
}: {
  provider: ChannelName
  url: string | null
}): string => {
  const label = CHANNEL_LABELS[provider]
  return url === null ? label : `${label} : ${url.replace(/^https?:\/\//, '')}`
}
