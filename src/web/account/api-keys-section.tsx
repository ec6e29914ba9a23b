import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { MAX_API_KEYS } from '#domain/accounts/api-key.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatMoment, formatNamedMoment, useZone } from '#web/ui/moments.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { apiKeysQuery } from './account-queries.ts'
import { ApiKeyDialog, SCOPE_LABELS } from './api-key-dialog.tsx'
import { Outcome } from './section.tsx'

/** Lists, creates and revokes the keys with which the creator's programs call the API. */
const ApiKeys = () => {
  useZone()
  const { data, error } = useQuery(apiKeysQuery())
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const [isMaking, setMaking] = useState(false)
  const { run, isBusy, done, failed, forget } = useAction('La clé n’a pas pu être révoquée')
  const keys = data?.keys ?? []
  const isFull = keys.length >= MAX_API_KEYS

  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    const question = `Révoquer la clé « ${name} » ? Les programmes qui s’en servent n’auront plus accès à votre compte.`
    if (!(await confirm(question, { confirm_label: 'Révoquer', danger: true }))) return
    await run(async () => {
      await lazyClient.apiKeys.revoke({ id })
      await queryClient.invalidateQueries(apiKeysQuery())
      return `La clé « ${name} » est révoquée.`
    })
  }
  return (
    <>
      <p className="text-ink-2">
        Une clé laisse un tableur, un site ou un programme lire vos quiz et leurs réponses, ou les
        modifier. Changer de mot de passe ne la révoque pas.{' '}
        <a
          href="/docs"
          className="text-brand underline underline-offset-2 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          Mode d’emploi de l’API
        </a>
      </p>
      {error && <p className="text-bad">{errorText(error)}</p>}
      {!data && !error && <div aria-hidden="true" className="my-2 h-5 w-3/4 rounded-md bg-press" />}
      {data && keys.length === 0 && <p className="text-ink-2">Aucune clé pour l’instant.</p>}
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} isBusy={isBusy} onRevoke={() => revoke(key)} />
        ))}
      </ul>
      <Outcome done={done} failed={failed} />
      {isFull && (
        <p className="text-ink-2">
          Un compte a {MAX_API_KEYS} clés au plus : révoquez-en une pour en créer une autre.
        </p>
      )}
      {data && (
        <Button
          icon={<KeyRound aria-hidden="true" />}
          disabled={isFull}
          onClick={() => {
            forget()
            setMaking(true)
          }}
          className="self-start"
        >
          Créer une clé...
        </Button>
      )}
      {isMaking && <ApiKeyDialog onClose={() => setMaking(false)} />}
    </>
  )
}

const KeyRow = ({
  apiKey: { name, scope, created_at, last_used_at, expires_at, is_expired },
  isBusy,
  onRevoke,
}: {
  apiKey: ApiKey
  isBusy: boolean
  onRevoke: () => void
}) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
    <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere" dir="auto">
          {name}
        </span>
        <Badge tone="neutral">{SCOPE_LABELS[scope]}</Badge>
        {is_expired && <Badge tone="warn">Expirée</Badge>}
      </p>
      <p className="text-sm text-ink-2">
        Créée le <time dateTime={created_at}>{formatMoment(created_at, 'day')}</time>
        {' · '}
        {last_used_at ? (
          <>
            dernier usage le{' '}
            <time dateTime={last_used_at}>{formatNamedMoment(last_used_at, 'long')}</time>
          </>
        ) : (
          'jamais utilisée'
        )}
        {' · '}
        {expires_at ? (
          <>
            {is_expired ? 'expirée' : 'expire'} le{' '}
            <time dateTime={expires_at}>{formatMoment(expires_at, 'day')}</time>
          </>
        ) : (
          'n’expire jamais'
        )}
      </p>
    </div>
    <Button busy={isBusy} onClick={onRevoke} aria-label={`Révoquer la clé ${name}`}>
      Révoquer
    </Button>
  </li>
)

export default ApiKeys
