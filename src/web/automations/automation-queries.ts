import { queryOptions } from '@tanstack/react-query'
import type { ProviderName } from '#domain/vocabulary.ts'
import { laterClient } from '#web/later-api/later-client.ts'

const ask = {
  convertkit: laterClient.automations.kitLabels,
  systemio: laterClient.automations.systemioLabels,
  brevo: laterClient.automations.brevoLabels,
}

/** The rules of a quiz, which say which tags and lists its participants get. */
export const automationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'automations'],
    queryFn: () => laterClient.automations.list({ id }),
    staleTime: 0,
  })

/** The tags or lists of the creator's account at a tool, which are only offered: a name does as well. */
export const accountLabelsQuery = (provider: ProviderName) =>
  queryOptions({
    queryKey: ['integrations', provider, 'labels'],
    queryFn: () => ask[provider](),
    staleTime: 60_000,
    retry: false,
  })
