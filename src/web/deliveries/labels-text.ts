import type { ChannelName } from '#domain/vocabulary.ts'

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
