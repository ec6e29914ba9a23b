import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'

/** The state of an account, the same for every tool. */
export type AccountStatus = {
  isConnected: boolean
  email: string | null
  needs_attention: boolean
  message: string | null
}

const ask = {
  convertkit: async (): Promise<AccountStatus> => {
    const { connected, ...status } = await client.integrations.kitStatus()
    return { isConnected: connected, ...status }
  },
  systemio: async (): Promise<AccountStatus> => {
    const { configured, ...status } = await client.integrations.systemioStatus()
    return { isConnected: configured, ...status }
  },
  brevo: async (): Promise<AccountStatus> => {
    const { configured, ...status } = await client.integrations.brevoStatus()
    return { isConnected: configured, ...status }
  },
}

/** The calls that check again whether a tool accepts the account. */
export const recheckAccount = {
  convertkit: client.integrations.checkKit,
  systemio: client.integrations.checkSystemio,
  brevo: client.integrations.checkBrevo,
}

/** The state of the creator's account at a tool. */
export const accountStatusQuery = (provider: keyof typeof ask) =>
  queryOptions({
    queryKey: ['integrations', provider],
    queryFn: ask[provider],
    // A worker may have been refused by the tool since.
    staleTime: 0,
  })

/** The totals of the deliveries of all quizzes to each tool. */
export const totalsQuery = () =>
  queryOptions({
    queryKey: ['deliveries'],
    queryFn: () => client.deliveries.summary(),
    staleTime: 0,
  })

/** The participants from before the tools of a quiz were switched on, who can still be sent. */
export const earlierQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'earlier'],
    queryFn: () => client.deliveries.earlier({ id }),
    staleTime: 0,
  })

/** The tools that the participants of a quiz are forwarded to. */
export const quizSwitchesQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'integrations'],
    queryFn: () => client.integrations.ofQuiz({ id }),
    staleTime: 0,
  })
