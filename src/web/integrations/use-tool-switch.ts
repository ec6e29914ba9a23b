import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { QuizSwitches } from '#contract/integrations.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { accountStatusQuery, earlierQuery, quizSwitchesQuery } from './integration-queries.ts'
import { failureText } from './use-alerted.ts'

const CALLS = {
  convertkit: client.integrations.setConvertkit,
  systemio: client.integrations.setSystemio,
  brevo: client.integrations.setBrevo,
}

type Chosen = QuizSwitches[ProviderName]

/**
 * The switch of a tool of a quiz, and its change: shown at once, reverted with an alert when it is refused;
 * a success updates the cached quiz and loads it again (spec §7).
 */
export const useToolSwitch = (
  id: string,
  provider: ProviderName,
  {
    stored,
    prepare,
  }: {
    stored: Chosen
    /** Stores what a tool that is on needs, how participants agree above all; where it fails the switch stays as it was. */
    prepare: () => Promise<void>
  },
) => {
  const queryClient = useQueryClient()
  const { alert } = useDialogs()
  const { queryKey } = quizSwitchesQuery(id)
  // Set in the click itself: a switch that only follows the call jumps back until the call is under way.
  const [wanted, setWanted] = useState<Chosen>()
  const { mutate } = useMutation({
    // Changes in one scope are stored one after another, the last one last.
    scope: { id: `switch ${id} ${provider}` },
    // The change alone: what another tab has chosen of the rest stays.
    mutationFn: async ({ shown, changed }: { shown: Chosen; changed: Partial<Chosen> }) => {
      if (shown.enabled) await prepare()
      await queryClient.cancelQueries({ queryKey })
      return CALLS[provider]({ id, body: changed })
    },
    onSuccess: (switches) => queryClient.setQueryData(queryKey, switches),
    onError: (error) => {
      void alert(failureText(error, 'Erreur lors de la mise à jour'), { title: 'Erreur' })
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey })
      void queryClient.invalidateQueries(accountStatusQuery(provider))
      void queryClient.invalidateQueries(earlierQuery(id))
    },
  })
  return {
    chosen: wanted ?? stored,
    put: (changed: Partial<Chosen>): void => {
      const shown = { ...(wanted ?? stored), ...changed }
      setWanted(shown)
      // Called for the last change alone.
      mutate({ shown, changed }, { onSettled: () => setWanted(undefined) })
    },
    isBusy: wanted !== undefined,
  }
}
