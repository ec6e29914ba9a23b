import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PROVIDER_LABELS } from '#domain/integrations.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { earlierQuery } from '#web/integrations/integration-queries.ts'
import { useAlerted } from '#web/integrations/use-alerted.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'

const CONSENT_DUTY =
  ' Votre questionnaire n’a pas de case à cocher : vous devez pouvoir prouver que ces participants avaient demandé à recevoir vos emails.'

/** Offers to send the participants from before the tool was switched on; nothing when there are none. */
export const EarlierParticipants = ({ provider, quiz }: { provider: ProviderName; quiz: Quiz }) => {
  const query = earlierQuery(quiz.id)
  const { data } = useQuery(query)
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlerted()
  const label = PROVIDER_LABELS[provider]
  const count = data?.providers.find((one) => one.provider === provider)?.nb_participants ?? 0
  if (count === 0) return null

  const isAsked = quiz.consent_mode === 'box'
  const shown = count.toLocaleString('fr-FR')
  const them = count > 1 ? `les ${shown} participants existants` : 'le participant existant'
  const send = async (): Promise<void> => {
    const question = `Envoyer ${them} à ${label} ? Vos automatisations ${label} pourront se déclencher pour chacun.${isAsked ? '' : CONSENT_DUTY}`
    if (!(await confirm(question, { confirm_label: 'Envoyer' }))) return
    await run(
      async () => {
        const { nb_sent } = await client.deliveries.sendEarlier({ id: quiz.id, body: { provider } })
        await queryClient.invalidateQueries(query)
        return nb_sent > 1
          ? `${nb_sent.toLocaleString('fr-FR')} participants sont en cours d’envoi à ${label}.`
          : `Le participant est en cours d’envoi à ${label}.`
      },
      { failure: 'Les participants existants n’ont pas pu être envoyés.' },
    )
  }
  return (
    <div className="flex flex-col items-start gap-2 rounded-lg bg-brand-wash p-3 text-sm">
      <p>
        {count > 1
          ? `${shown} participants ont répondu avant l’activation de ${label} et n’y ont pas été envoyés. Ils ont donné leur adresse${isAsked ? ' et leur accord' : ''}.`
          : `Un participant a répondu avant l’activation de ${label} et n’y a pas été envoyé. Il a donné son adresse${isAsked ? ' et son accord' : ''}.`}
      </p>
      <Button busy={isBusy} onClick={send}>
        {`Envoyer aussi ${them}`}
      </Button>
    </div>
  )
}
