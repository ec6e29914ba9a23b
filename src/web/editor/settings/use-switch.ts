import { useQueryClient } from '@tanstack/react-query'
import type { QuizSwitches } from '#contract/integrations.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { accountStatusQuery, quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { useAlerted } from '#web/integrations/use-alerted.ts'

const CALLS = {
  convertkit: client.integrations.setConvertkit,
  systemio: client.integrations.setSystemio,
  brevo: client.integrations.setBrevo,
}

type Wanted = QuizSwitches[ProviderName]

/** Switches a tool of a quiz: shown at once, taken back with an alert when it was refused. */
export const useSwitch = (id: string, provider: ProviderName) => {
  const queryClient = useQueryClient()
  const { run, isBusy } = useAlerted()
  const { queryKey } = quizSwitchesQuery(id)
  const put = (wanted: Wanted): Promise<void> =>
    run(
      async () => {
        await queryClient.cancelQueries({ queryKey })
        const before = queryClient.getQueryData(queryKey)
        queryClient.setQueryData(queryKey, (known) => known && { ...known, [provider]: wanted })
        try {
          queryClient.setQueryData(queryKey, await CALLS[provider]({ id, body: wanted }))
        } catch (error) {
          queryClient.setQueryData(queryKey, before)
          throw error
        } finally {
          void queryClient.invalidateQueries({ queryKey })
          void queryClient.invalidateQueries(accountStatusQuery(provider))
        }
        return undefined
      },
      { failure: 'Erreur lors de la mise à jour' },
    )
  return { put, isBusy }
}
