import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import { laterClient } from '#web/later-api/later-client.ts'

/** The mails of a quiz. */
export const mailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'mails'],
    queryFn: async () => (await laterClient.quizMails.get({ id })).mails,
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
