import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { AccountOrder, InstallationOverview, ListedAccount } from '#contract/admin.ts'
import { canInvite } from '#domain/accounts/sign-up-mode.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { Outcome, Section } from '#web/account/section.tsx'
import { errorText } from '#web/api/error-text.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { SearchField } from '#web/ui/form/search-field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { ACCOUNTS_COUNT, AccountRow, nameOfAccount } from './account-row.tsx'
import { formatCount } from './admin-labels.ts'
import { type AccountFilters, ADMIN_KEY, accountsQuery, adminClient } from './admin-queries.ts'
import { Skeleton } from './facts.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'

const ORDERS = [
  { value: 'created', label: 'Date de création' },
  { value: 'signed_in', label: 'Dernière connexion' },
] as const satisfies { value: AccountOrder; label: string }[]

const NO_FILTER: AccountFilters = { order: 'created', search: '' }

const disableQuestion = (name: string): string =>
  `Désactiver le compte ${name} ? Il est déconnecté partout, ses clés d’API et ses connexions sont refusées. Ses quiz publiés restent en ligne.`
const removeQuestion = ({ nb_quizzes, nb_participants }: ListedAccount, name: string): string =>
  `Supprimer le compte ${name} ? Ses ${formatCount(nb_quizzes, 'quiz', 'quiz')} et leurs ${formatCount(nb_participants, 'participant', 'participants')} sont supprimés aussitôt, sans retour possible.`

/** Renders the accounts of the installation and their actions. */
export const AccountsSection = ({ overview }: { overview: InstallationOverview }) => {
  const [filters, setFilters] = useState(NO_FILTER)
  const [isInviting, setInviting] = useState(false)
  const query = useInfiniteQuery(accountsQuery(filters))
  const { run, isBusy, done, failed, forget } = useAction('Le compte n’a pas pu être changé')
  const queryClient = useQueryClient()
  const { confirm } = useDialogs()
  const { nb_accounts, is_estimate, sign_up_mode } = overview.accounts
  const accounts = query.data?.pages.flatMap((page) => page.accounts) ?? []

  /** Runs an action, then reads the list again before its outcome is said. */
  const change = (act: () => Promise<unknown>, outcome: string): Promise<void> =>
    run(async () => {
      await act()
      await queryClient.invalidateQueries({ queryKey: ADMIN_KEY })
      return outcome
    })
  const disable = async (account: ListedAccount): Promise<void> => {
    const name = nameOfAccount(account)
    const options = { confirm_label: 'Désactiver', danger: true }
    if (!(await confirm(disableQuestion(name), options))) return
    await change(
      () => adminClient.disable({ accountId: account.id }),
      `Le compte ${name} est désactivé.`,
    )
  }
  const enable = (account: ListedAccount): Promise<void> =>
    change(
      () => adminClient.enable({ accountId: account.id }),
      `Le compte ${nameOfAccount(account)} est réactivé.`,
    )
  const remove = async (account: ListedAccount): Promise<void> => {
    const name = nameOfAccount(account)
    const options = { confirm_label: 'Supprimer', danger: true }
    if (!(await confirm(removeQuestion(account, name), options))) return
    await change(
      () => adminClient.remove({ accountId: account.id, body: { email: account.email } }),
      `Le compte ${name} est supprimé.`,
    )
  }

  return (
    <Section title="Comptes">
      <p id={ACCOUNTS_COUNT} tabIndex={-1} className="text-ink-2">
        {is_estimate && 'Environ '}
        {formatCount(nb_accounts, 'compte', 'comptes')}
        {nb_accounts === 1 && ' : le vôtre. Invitez une personne pour lui en ouvrir un'}.
      </p>
      <Button
        icon={<UserPlus aria-hidden="true" />}
        disabled={!canInvite(sign_up_mode)}
        onClick={() => {
          forget()
          setInviting(true)
        }}
        className="self-start"
      >
        Créer un compte...
      </Button>
      {!canInvite(sign_up_mode) && (
        <p className="text-sm text-ink-2">
          Les inscriptions sont fermées : aucun compte ne peut être créé.
        </p>
      )}
      <div className="grid gap-3 @md:grid-cols-2">
        <SearchField
          label="Rechercher une adresse"
          hint="Une partie de l’adresse suffit."
          maxLength={LIMITS.email}
          searched={filters.search}
          onSearch={(search) => setFilters({ ...filters, search })}
        />
        <Select
          label="Du plus récent au plus ancien, par"
          value={filters.order}
          options={[...ORDERS]}
          onChange={(order) => setFilters({ ...filters, order })}
        />
      </div>
      <Outcome done={done} failed={failed} />
      {query.error && <LoadFailure text={errorText(query.error)} query={query} />}
      {!query.data && !query.error && <Skeleton lines={4} />}
      <p role="status" className="text-ink-2 empty:hidden">
        {query.data && accounts.length === 0 ? 'Aucun compte ne correspond.' : ''}
      </p>
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {accounts.map((account) => (
          <AccountRow
            key={account.id}
            account={account}
            isBusy={isBusy}
            onDisable={() => disable(account)}
            onEnable={() => enable(account)}
            onRemove={() => remove(account)}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          className="self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Afficher plus de comptes
        </Button>
      )}
      {isInviting && (
        <InvitationDialog
          onInvited={({ email, link }) =>
            void run(async () =>
              link === null
                ? `L’invitation part à ${email}.`
                : `Le compte de ${email} est créé : transmettez-lui son lien.`,
            )
          }
          onClose={() => setInviting(false)}
        />
      )}
    </Section>
  )
}
