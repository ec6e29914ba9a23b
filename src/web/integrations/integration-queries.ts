import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'

/** The state of an account, in the same form for every tool. */
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

/** Returns the query of the state of the creator's account at a tool. */
export const accountStatusQuery = (provider: keyof typeof ask) =>
  queryOptions({
    queryKey: ['integrations', provider],
    queryFn: ask[provider],
  })

/**
 * Returns the query of the totals of the deliveries of all quizzes to each tool. An account that a tool has refused
 * since its state was read is read again.
 */
export const totalsQuery = () =>
  queryOptions({
    queryKey: ['deliveries'],
    queryFn: async ({ client: cache }) => {
      const totals = await client.deliveries.summary()
      for (const { provider, needs_attention } of totals.providers) {
        const { queryKey } = accountStatusQuery(provider)
        const known = cache.getQueryData(queryKey)
        if (known && known.needs_attention !== needs_attention)
          void cache.invalidateQueries({ queryKey, exact: true })
      }
      return totals
    },
    staleTime: 0,
  })

/** Returns the query of the participants from before the tools were switched on, who can still be sent. */
export const earlierQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'earlier'],
    queryFn: () => client.deliveries.earlier({ id }),
    staleTime: 0,
  })

/** Returns the query of the tools to which the participants of a quiz are forwarded. */
export const quizSwitchesQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'integrations'],
    queryFn: () => client.integrations.ofQuiz({ id }),
    staleTime: 0,
  })

/**
 * Returns the query key of the fields that a quiz fills at its tools. Begins with the key of the switches, so that a
 * change of a switch reloads the fields too.
 */
export const sentFieldsKey = (id: string) => [...quizSwitchesQuery(id).queryKey, 'fields']
