import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { QuizSwitches } from '#contract/integrations.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'
import {
  accountStatusQuery,
  earlierQuery,
  quizSwitchesQuery,
} from '#web/integrations/integration-queries.ts'
import { useAlerted } from '#web/integrations/use-alerted.ts'

const CALLS = {
  convertkit: client.integrations.setConvertkit,
  systemio: client.integrations.setSystemio,
  brevo: client.integrations.setBrevo,
}

type Chosen = QuizSwitches[ProviderName]

/**
 * What is chosen for a tool of a quiz, and its change: shown at once, taken back with an alert when it was
 * refused; a success updates what is kept of the quiz and asks for it again (spec §7).
 */
export const useSwitch = (id: string, provider: ProviderName, stored: Chosen) => {
  const queryClient = useQueryClient()
  const { run, isBusy } = useAlerted()
  const [wanted, setWanted] = useState<Chosen>()
  const { queryKey } = quizSwitchesQuery(id)
  const save = async (chosen: Chosen, prepare?: () => Promise<void>): Promise<undefined> => {
    setWanted(chosen)
    try {
      await prepare?.()
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, await CALLS[provider]({ id, body: chosen }))
    } finally {
      setWanted(undefined)
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries(accountStatusQuery(provider))
      void queryClient.invalidateQueries(earlierQuery(id))
    }
  }
  return {
    chosen: wanted ?? stored,
    /** `prepare` is what must be stored before; where it fails the switch stays as it was. */
    put: (chosen: Chosen, prepare?: () => Promise<void>): Promise<void> =>
      run(() => save(chosen, prepare), { failure: 'Erreur lors de la mise à jour' }),
    isBusy,
  }
}
