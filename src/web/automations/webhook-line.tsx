import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ListedWebhook } from '#contract/forwarding/webhooks.ts'
import { failureText, useAlertOnFailure } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button, DisappearingButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { AddressForm } from './address-form.tsx'
import { webhooksQuery } from './automation-queries.ts'

/** Shows the secret of a new webhook, which is shown only once and gets the focus. */
const SecretBox = ({
  secret,
  isNew,
  onClose,
}: {
  secret: string
  isNew: boolean
  onClose: () => void
}) => {
  const { isCopied, copy } = useCopy()
  const title = useRef<HTMLHeadingElement>(null)
  const code = useRef<HTMLElement>(null)
  const takesFocus = useRef(isNew)
  useEffect(() => {
    if (takesFocus.current) title.current?.focus()
  }, [])
  const copySecret = async (): Promise<void> => {
    // The secret stays selected, so that the creator can copy it by hand if the clipboard is not allowed.
    if (!(await copy(secret)) && code.current) getSelection()?.selectAllChildren(code.current)
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-brand-wash p-3 text-sm">
      <h4 ref={title} tabIndex={-1} className="font-semibold">
        Secret du webhook
      </h4>
      <p>
        Copiez-le maintenant : il ne sera plus montré. Il sert à vérifier que chaque envoi vient de
        Quizaine.
      </p>
      <code ref={code} className="rounded-md bg-paper p-2 wrap-anywhere">
        {secret}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => void copySecret()}
        >
          {isCopied ? 'Copié' : 'Copier le secret'}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Masquer le secret
        </Button>
      </div>
    </div>
  )
}

const STATES = {
  active: { tone: 'ok', label: 'Actif' },
  paused: { tone: 'neutral', label: 'En pause' },
  needs_attention: { tone: 'warn', label: 'À vérifier' },
} as const

/** Renders one webhook of a quiz: a sentence about its effect, its state, and its actions. */
export const WebhookLine = ({
  quizId,
  webhook,
  secret,
  isNewSecret,
  onSecret,
}: {
  quizId: string
  webhook: ListedWebhook
  /** The secret of a new webhook until it is hidden. */
  secret: string | undefined
  /** True if the webhook was created after the tab was opened. */
  isNewSecret: boolean
  onSecret: (secret: string | undefined) => void
}) => {
  const { id: webhookId, url, state, message, previous_secret_until } = webhook
  const at = { id: quizId, webhookId }
  const title = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const queries = useQueryClient()
  const { confirm } = useDialogs()
  const { run, isBusy } = useAlertOnFailure()
  const [isChanging, setChanging] = useState(false)
  const reload = () => queries.invalidateQueries(webhooksQuery(quizId))
  const update = (body: Parameters<typeof lazyClient.webhooks.update>[0]['body']) =>
    // The list is loaded again after a failure too, because another tab may have changed the webhook.
    lazyClient.webhooks.update({ ...at, body }).finally(reload)

  const setPaused = (is_paused: boolean) =>
    run(() => update({ is_paused }).then(() => undefined), {
      failure: 'Le webhook n’a pas pu être changé.',
    })
  const rotate = async (): Promise<void> => {
    const question =
      'Créer un nouveau secret ? L’ancien signe encore pendant 24 heures, le temps de le remplacer.'
    if (!(await confirm(question, { confirm_label: 'Créer' }))) return
    await run(
      async () => {
        onSecret((await lazyClient.webhooks.rotate(at)).secret)
        await reload()
        return undefined
      },
      { failure: 'Le secret n’a pas pu être créé.' },
    )
  }
  const remove = async (): Promise<void> => {
    const question = `Supprimer ce webhook ? Plus aucun participant n’est envoyé à ${url}, même ceux qui attendent.`
    if (!(await confirm(question, { confirm_label: 'Supprimer', danger: true }))) return
    await run(
      async () => {
        await lazyClient.webhooks.remove(at)
        document.querySelector('h1')?.focus({ preventScroll: true })
        await reload()
        return undefined
      },
      { failure: 'Le webhook n’a pas pu être supprimé.' },
    )
  }
  const { tone, label } = STATES[state]
  return (
    <li aria-labelledby={title} className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 ref={heading} id={title} tabIndex={-1} className="min-w-0 flex-1 basis-60 text-base">
          À chaque participant, envoyer ses réponses à{' '}
          <strong className="font-semibold wrap-anywhere">{url}</strong>
        </h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {message && (
        <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          {message} Les participants attendent, aucun n’est perdu.
        </p>
      )}
      {previous_secret_until && (
        <p className="text-sm text-ink-2">
          L’ancien secret signe aussi jusqu’au {formatNamedMoment(previous_secret_until)}.
        </p>
      )}
      {secret !== undefined && (
        <SecretBox
          key={secret}
          secret={secret}
          isNew={isNewSecret}
          onClose={() => {
            heading.current?.focus()
            onSecret(undefined)
          }}
        />
      )}
      {isChanging && (
        <AddressForm
          label="Nouvelle adresse"
          action="Enregistrer"
          initial={url}
          save={async (next) => void (await update({ url: next, replaces: { url } }))}
          onSaved={() => {
            heading.current?.focus()
            setChanging(false)
          }}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <TryButton at={at} />
        {state === 'needs_attention' && (
          <DisappearingButton next_id={title} busy={isBusy} onClick={() => void setPaused(false)}>
            Relancer
          </DisappearingButton>
        )}
        <Button busy={isBusy} onClick={() => void setPaused(state !== 'paused')}>
          {state === 'paused' ? 'Reprendre' : 'Mettre en pause'}
        </Button>
        <Button aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
          Changer l’adresse
        </Button>
        <Button busy={isBusy} onClick={() => void rotate()}>
          Nouveau secret
        </Button>
        <Button variant="ghost" busy={isBusy} onClick={() => void remove()}>
          Supprimer
        </Button>
      </div>
    </li>
  )
}

/** Sends a signed sample now, and shows the receiver's answer. */
const TryButton = ({ at }: { at: { id: string; webhookId: string } }) => {
  const trying = useMutation({ mutationFn: () => lazyClient.webhooks.test(at) })
  const { data } = trying
  return (
    <>
      <Button busy={trying.isPending} onClick={() => trying.mutate()}>
        Tester
      </Button>
      <div role="status" className="order-last flex basis-full flex-col gap-2 text-sm empty:hidden">
        {data && <p>{data.message}</p>}
        {data?.text && (
          <pre className="max-h-40 overflow-auto rounded-md bg-wash p-2 whitespace-pre-wrap wrap-anywhere">
            {data.text}
          </pre>
        )}
        {trying.error && (
          <p className="text-bad">{failureText(trying.error, 'Le test n’a pas pu partir.')}</p>
        )}
      </div>
      {data && (
        <details className="order-last basis-full text-sm">
          <summary className="min-h-6 text-brand">Ce qui a été envoyé</summary>
          <pre className="mt-2 max-h-80 overflow-auto rounded-md bg-wash p-2 whitespace-pre-wrap wrap-anywhere">
            {JSON.stringify(JSON.parse(data.body), null, 2)}
          </pre>
        </details>
      )}
    </>
  )
}
