import { queryOptions } from '@tanstack/react-query'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** The mails of a quiz. */
export const mailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'mails'],
    queryFn: async () => (await lazyClient.quizMails.get({ id })).mails,
    staleTime: 0,
  })

/** Where the words that are typed and not stored are kept, while the application is open. */
export const typedMailKey = (id: string) => ['quizzes', id, 'mails-typed']

/** The questions and results that the words of a mail may insert: those of the draft. */
export const mailedSnapshotQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'mailed-snapshot'],
    queryFn: async () => (await client.taking.snapshot({ id, preview: '1' })).snapshot,
    staleTime: 0,
  })

/** The webhooks of a quiz; what a receiver answers may change their state at any moment. */
export const webhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'webhooks'],
    queryFn: () => lazyClient.webhooks.list({ id }),
    staleTime: 0,
  })

const ask = {
  convertkit: lazyClient.automations.kitLabels,
  systemio: lazyClient.automations.systemioLabels,
  brevo: lazyClient.automations.brevoLabels,
}

/** The rules of a quiz, which say which tags and lists its participants get. */
export const automationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'automations'],
    queryFn: () => lazyClient.automations.list({ id }),
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
