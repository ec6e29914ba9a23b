import { useQueryClient } from '@tanstack/react-query'
import type { ProviderName } from '#domain/vocabulary.ts'
import { Button } from '#web/ui/button.tsx'
import { accountStatusQuery, recheckAccount } from './integration-queries.ts'
import { useAlerted } from './use-alerted.ts'

/** Checks the account again, after the creator has fixed the problem at the tool. */
export const RecheckButton = ({ provider }: { provider: ProviderName }) => {
  const queryClient = useQueryClient()
  const { run, isBusy } = useAlerted()
  const ask = (): Promise<void> =>
    run(
      async () => {
        const { needs_attention, message } = await recheckAccount[provider]()
        await queryClient.invalidateQueries(accountStatusQuery(provider))
        return needs_attention && message ? message : 'La connexion fonctionne.'
      },
      { failure: 'Erreur lors de la connexion' },
    )
  return (
    <Button busy={isBusy} onClick={ask}>
      Réessayer
    </Button>
  )
}
