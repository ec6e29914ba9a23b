import { queryOptions } from '@tanstack/react-query'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { KINDS_OF_TOOL, type LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import { client } from '#web/api/client.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** Returns the query of the emails of a quiz. */
export const mailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'mails'],
    queryFn: async () => (await lazyClient.quizMails.get({ id })).mails,
    staleTime: 0,
  })

/** Returns the query key of typed texts that are not stored yet; they are kept while the application is open. */
export const mailDraftKey = (id: string) => ['quizzes', id, 'mails-typed']

/** Returns the query of the draft, whose questions and results an email may insert. */
export const mailedSnapshotQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'mailed-snapshot'],
    queryFn: async () => (await client.publicQuiz.snapshot({ id, preview: '1' })).snapshot,
    staleTime: 0,
  })

/** Returns the query of the webhooks of a quiz; a receiver's answer may change their state at any time. */
export const webhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'webhooks'],
    queryFn: () => lazyClient.webhooks.list({ id }),
    staleTime: 0,
  })

/** Calls that return the labels of a kind in an account, by tool. */
const LABEL_CALLS = {
  convertkit: (kind: LabelKind | null) =>
    lazyClient.automations.kitLabels({
      kind: KINDS_OF_TOOL.convertkit.find((known) => known === kind),
    }),
  systemio: (kind: LabelKind | null) =>
    lazyClient.automations.systemioLabels({
      kind: KINDS_OF_TOOL.systemio.find((known) => known === kind),
    }),
  brevo: () => lazyClient.automations.brevoLabels(),
}

/** Returns the query of the rules of a quiz, which give tags and lists to its participants. */
export const automationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'automations'],
    queryFn: () => lazyClient.automations.list({ id }),
    staleTime: 0,
  })

/** Returns the query of the labels of a kind in the creator's account at a tool. Null means tags or lists. */
export const accountLabelsQuery = (provider: ProviderName, kind: LabelKind | null) =>
  queryOptions({
    queryKey: ['integrations', provider, 'labels', kind],
    queryFn: () => LABEL_CALLS[provider](kind),
    staleTime: 60_000,
    retry: false,
  })
