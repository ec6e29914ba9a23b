import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QuizSwitches } from '#contract/integrations.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'
import {
  accountStatusQuery,
  earlierQuery,
  quizSwitchesQuery,
} from '#web/integrations/integration-queries.ts'
import { sentenceOf } from '#web/integrations/use-alerted.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'

const CALLS = {
  convertkit: client.integrations.setConvertkit,
  systemio: client.integrations.setSystemio,
  brevo: client.integrations.setBrevo,
}

type Chosen = QuizSwitches[ProviderName]
type Change = {
  chosen: Chosen
  /** Runs before the change is stored; if it fails the switch is reverted. */
  prepare?: (() => Promise<void>) | undefined
}

/**
 * The switch of a tool of a quiz, and its change: shown at once, reverted with an alert when it is refused;
 * a success updates the cached quiz and loads it again (spec §7).
 */
export const useSwitch = (id: string, provider: ProviderName, stored: Chosen) => {
  const queryClient = useQueryClient()
  const { alert } = useDialogs()
  const { queryKey } = quizSwitchesQuery(id)
  const { mutate, variables, isPending } = useMutation({
    // Changes in one scope are stored one after another, the last one last.
    scope: { id: `switch ${id} ${provider}` },
    mutationFn: async ({ chosen, prepare }: Change) => {
      await prepare?.()
      await queryClient.cancelQueries({ queryKey })
      return CALLS[provider]({ id, body: chosen })
    },
    onSuccess: (switches) => queryClient.setQueryData(queryKey, switches),
    onError: (error) => {
      void alert(sentenceOf(error, 'Erreur lors de la mise à jour'), { title: 'Erreur' })
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries(accountStatusQuery(provider))
      void queryClient.invalidateQueries(earlierQuery(id))
    },
  })
  return {
    chosen: isPending ? variables.chosen : stored,
    put: (chosen: Chosen, prepare?: Change['prepare']): void => mutate({ chosen, prepare }),
    isBusy: isPending,
  }
}
