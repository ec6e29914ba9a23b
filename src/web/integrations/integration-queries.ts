import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'

/** Whether an account is connected, however its tool calls it. */
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

/** Asks a tool again whether it accepts the account. */
export const askAgain = {
  convertkit: client.integrations.checkKit,
  systemio: client.integrations.checkSystemio,
  brevo: client.integrations.checkBrevo,
}

/** What is known of a creator's account at a tool. */
export const accountStatusQuery = (provider: keyof typeof ask) =>
  queryOptions({
    queryKey: ['integrations', provider],
    queryFn: ask[provider],
    // A worker may have found out since that the tool refuses it.
    staleTime: 0,
  })

/** What became of the participants of all quizzes at each tool. */
export const totalsQuery = () =>
  queryOptions({
    queryKey: ['deliveries'],
    queryFn: () => client.deliveries.summary(),
    staleTime: 0,
  })

/** Who came before the tools of a quiz were switched on, and may be sent to them. */
export const earlierQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'earlier'],
    queryFn: () => client.deliveries.earlier({ id }),
    staleTime: 0,
  })

/** Which tools the participants of a quiz go to. */
export const quizSwitchesQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'integrations'],
    queryFn: () => client.integrations.ofQuiz({ id }),
    staleTime: 0,
  })
