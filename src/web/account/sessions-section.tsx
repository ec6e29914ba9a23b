import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccountSession } from '#contract/account.ts'
import { auth } from '#web/api/auth-client.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatNamedMoment, useZone } from '#web/ui/moments.ts'
import { sessionsQuery } from './account-queries.ts'
import { formatDeviceName } from './device-name.ts'
import { Outcome, Section } from './section.tsx'

/** Lists the devices on which the creator is signed in, and signs out the others. */
export const SessionsSection = () => {
  useZone()
  const { data, error } = useQuery(sessionsQuery())
  const queryClient = useQueryClient()
  const { run, isBusy, done, failed } = useAction('Les autres sessions n’ont pas pu être fermées')
  const sessions = data?.sessions ?? []
  const end = (): Promise<void> =>
    run(async () => {
      const { error: refusal } = await auth.signOut({ scope: 'others' })
      if (refusal) throw refusal
      await queryClient.invalidateQueries(sessionsQuery())
      return 'Vos autres appareils sont déconnectés.'
    })
  return (
    <Section title="Sessions actives">
      {error && <p className="text-bad">La liste n’a pas pu être chargée.</p>}
      {!data && !error && <div aria-hidden="true" className="my-2 h-5 w-3/4 rounded-md bg-press" />}
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <Outcome done={done} failed={failed} />
      {sessions.length > 1 && (
        <Button busy={isBusy} onClick={end} className="self-start">
          Déconnecter les autres
        </Button>
      )}
    </Section>
  )
}

const SessionRow = ({ session }: { session: AccountSession }) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
    <span className="font-medium">{formatDeviceName(session.user_agent)}</span>
    {session.is_current && <Badge tone="ok">Cet appareil</Badge>}
    <span className="text-ink-2">
      Dernière activité le{' '}
      <time dateTime={session.refreshed_at}>{formatNamedMoment(session.refreshed_at, 'long')}</time>
    </span>
  </li>
)
