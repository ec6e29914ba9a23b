import type { ListedAccount } from '#contract/admin.ts'
import { formatPhoneNumber } from '#web/session/phone-number.ts'
import { useSession } from '#web/session/session.tsx'
import { Button, DisappearingButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatMoment, formatNamedMoment } from '#web/ui/moments.ts'
import { formatCount } from './admin-labels.ts'

/** Id of the number of accounts, which gets the focus when a focused row disappears. */
export const ACCOUNTS_COUNT = 'accounts-count'

/** Returns the name of an account: its address, its number, or what it is instead. */
export const nameOfAccount = ({ email, phone, is_anonymous, id }: ListedAccount): string => {
  if (email) return email
  if (phone) return formatPhoneNumber(phone)
  return `${is_anonymous ? 'anonyme' : 'sans adresse'} ${id.slice(-6)}`
}

/** Renders an account with its figures and its actions. An administrator's own account has no actions. */
export const AccountRow = ({
  account,
  isBusy,
  onDisable,
  onEnable,
  onRemove,
}: {
  account: ListedAccount
  isBusy: boolean
  onDisable: () => void
  onEnable: () => void
  onRemove: () => void
}) => {
  const { user } = useSession()
  const isOwn = user?.id === account.id
  const name = nameOfAccount(account)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere" dir="auto">
            {name}
          </span>
          {isOwn && <Badge tone="neutral">Vous</Badge>}
          {account.is_administrator && <Badge tone="info">Administrateur</Badge>}
          {account.is_disabled && <Badge tone="warn">Désactivé</Badge>}
          {!account.is_confirmed && !account.is_anonymous && (
            <Badge tone="neutral">Pas encore confirmé</Badge>
          )}
        </p>
        <p className="text-sm text-ink-2">
          Créé le{' '}
          <time dateTime={account.created_at}>{formatMoment(account.created_at, 'day')}</time>
          {' · '}
          {account.last_sign_in_at ? (
            <>
              dernière connexion le{' '}
              <time dateTime={account.last_sign_in_at}>
                {formatNamedMoment(account.last_sign_in_at, 'long')}
              </time>
            </>
          ) : (
            'jamais connecté'
          )}
          {' · '}
          {formatCount(account.nb_quizzes, 'quiz', 'quiz')}
          {' · '}
          {formatCount(account.nb_participants, 'participant', 'participants')}
        </p>
      </div>
      {!isOwn && (
        <div className="flex flex-wrap gap-2">
          <Button
            busy={isBusy}
            onClick={account.is_disabled ? onEnable : onDisable}
            aria-label={`${account.is_disabled ? 'Réactiver' : 'Désactiver'} le compte ${name}`}
          >
            {account.is_disabled ? 'Réactiver' : 'Désactiver'}
          </Button>
          <DisappearingButton
            next_id={ACCOUNTS_COUNT}
            busy={isBusy}
            onClick={onRemove}
            aria-label={`Supprimer le compte ${name}`}
          >
            Supprimer
          </DisappearingButton>
        </div>
      )}
    </li>
  )
}
