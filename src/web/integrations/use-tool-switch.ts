import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { QuizSwitches } from '#contract/integrations.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { accountStatusQuery, earlierQuery, quizSwitchesQuery } from './integration-queries.ts'
import { failureText } from './use-alert-on-failure.ts'

const CALLS = {
  convertkit: client.integrations.setConvertkit,
  systemio: client.integrations.setSystemio,
  brevo: client.integrations.setBrevo,
}

type ToolSettings = QuizSwitches[ProviderName]

/**
 * Returns the switch of a tool and a function that changes it. A change is shown at once, and reverted with an alert if
 * the server rejects it (product 11.1).
 */
export const useToolSwitch = (
  id: string,
  provider: ProviderName,
  {
    stored,
    prepare,
  }: {
    stored: ToolSettings
    /**
     * Stores pending edits, such as the kind of consent, before a change of an enabled tool. If it fails, the
     * change is reverted.
     */
    prepare: () => Promise<void>
  },
) => {
  const queryClient = useQueryClient()
  const { alert } = useDialogs()
  const { queryKey } = quizSwitchesQuery(id)
  // Set by the click itself, because a switch that follows the call would jump back until the call starts.
  const [settings, setSettings] = useState<ToolSettings>()
  const { mutate } = useMutation({
    // Mutations of one scope run one after another, in order.
    scope: { id: `switch ${id} ${provider}` },
    // Sends only the changed fields, so that changes of another tab stay.
    mutationFn: async ({
      shown,
      changed,
    }: {
      shown: ToolSettings
      changed: Partial<ToolSettings>
    }) => {
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
    chosen: settings ?? stored,
    put: (changed: Partial<ToolSettings>): void => {
      const shown = { ...(settings ?? stored), ...changed }
      setSettings(shown)
      // React Query calls this callback only for the last mutation.
      mutate({ shown, changed }, { onSettled: () => setSettings(undefined) })
    },
    isBusy: settings !== undefined,
  }
}
