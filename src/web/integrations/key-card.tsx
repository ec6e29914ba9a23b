import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { client } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { accountStatusQuery } from './integration-queries.ts'
import { DeliveryTotals, ProviderCard, RecheckButton } from './provider-card.tsx'
import { useAlertOnFailure } from './use-alert-on-failure.ts'

type NewKey = { api_key: string; replace_account?: boolean }

const TOOLS = {
  systemio: {
    save: (body: NewKey) => client.integrations.saveSystemio({ body }),
    replaces:
      'Une clé est enregistrée ; une autre la remplace. Systeme.io ne dit pas à quel compte elle appartient : vérifiez que c’est le même.',
    remove: () => client.integrations.removeSystemio(),
    hint: 'Dans Systeme.io : profil > Paramètres > Clés d’API publiques.',
  },
  brevo: {
    save: (body: NewKey) => client.integrations.saveBrevo({ body }),
    replaces: 'Une clé est enregistrée ; une autre la remplace.',
    remove: () => client.integrations.removeBrevo(),
    hint: 'Dans Brevo : Paramètres > SMTP et API > Clés API.',
  },
}

/** Renders the field for an API key, which is never shown again, and the button that stores the key. */
export const KeyForm = ({
  provider,
  onSaved,
  children,
}: {
  provider: keyof typeof TOOLS
  /** Called with the sentence about the success. */
  onSaved: (words: string) => void
  /** Further buttons. */
  children?: ReactNode
}) => {
  const label = PROVIDER_LABELS[provider]
  const { save, hint, replaces } = TOOLS[provider]
  const query = accountStatusQuery(provider)
  const { data: status } = useQuery(query)
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const [key, setKey] = useState('')
  const isConnected = status?.isConnected ?? false

  /**
   * Stores the key. Resolves to false if the key belongs to another account and the creator keeps the connected one.
   */
  const store = async (): Promise<boolean> => {
    try {
      await save({ api_key: key })
    } catch (error) {
      if (!(error instanceof RefusedCall && error.code === 'other_account')) throw error
      const question = `${error.message} Remplacer le compte connecté ?`
      if (!(await confirm(question, { confirm_label: 'Remplacer', danger: true }))) return false
      await save({ api_key: key, replace_account: true })
    }
    return true
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (key.trim() === '') return
    void run(
      async () => {
        if (!(await store())) return undefined
        setKey('')
        await queryClient.invalidateQueries(query)
        onSaved(`La clé API de ${label} est enregistrée.`)
        return undefined
      },
      { failure: "Erreur lors de l'enregistrement" },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col items-start gap-3">
      <div className="w-full">
        <TextField
          label={`Clé API ${label}`}
          type="password"
          data-initial-focus
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          value={key}
          hint={isConnected ? replaces : hint}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy} disabled={key.trim() === ''}>
          Enregistrer l'API key
        </Button>
        {children}
      </div>
    </form>
  )
}

/** Renders a tool that is connected with an API key (product 7.16). */
export const KeyCard = ({ provider }: { provider: keyof typeof TOOLS }) => {
  const label = PROVIDER_LABELS[provider]
  const { remove } = TOOLS[provider]
  const query = accountStatusQuery(provider)
  const { data: status } = useQuery(query)
  const queryClient = useQueryClient()
  const { alert, confirm } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const forget = async (): Promise<void> => {
    const question = `Supprimer la clé API de ${label} ? Plus aucun participant n’y sera ajouté.`
    if (!(await confirm(question, { confirm_label: 'Supprimer', danger: true }))) return
    await run(
      async () => {
        await remove()
        await queryClient.invalidateQueries(query)
        return `${label} est déconnecté. Pensez à supprimer aussi la clé dans ${label}.`
      },
      { failure: 'Erreur lors de la déconnexion' },
    )
  }
  return (
    <ProviderCard title={label} level={3} status={status}>
      {status?.email && <p className="text-sm wrap-anywhere text-ink-2">Compte : {status.email}</p>}
      <DeliveryTotals provider={provider} />
      <KeyForm provider={provider} onSaved={(words) => void alert(words)}>
        {status?.needs_attention && <RecheckButton provider={provider} />}
        {status?.isConnected && (
          <Button busy={isBusy} onClick={forget}>
            Supprimer l'API key
          </Button>
        )}
      </KeyForm>
    </ProviderCard>
  )
}
