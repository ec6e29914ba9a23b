import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { Navigate } from 'react-router'
import { errorText } from '#web/api/error-text.ts'
import { preferencesQuery } from '#web/session/account-time-zone.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { useZone } from '#web/ui/moments.ts'
import { AccountsSection } from './accounts-section.tsx'
import { overviewQuery } from './admin-queries.ts'
import { Skeleton } from './facts.tsx'
import { SignUpSection } from './sign-up-section.tsx'
import { ErrorsSection, HealthSection, QueueSection } from './state-sections.tsx'
import { StorageSection } from './storage-section.tsx'

const TITLE = 'Administration'

/** Renders the administration for administrators. Other accounts are led where every unknown address leads. */
const AdministrationPage = () => {
  const { data, error, isFetching, refetch } = useQuery({ ...preferencesQuery(), staleTime: 0 })
  if (data && !isFetching && !data.is_administrator) return <Navigate to="/login" replace />
  if (data?.is_administrator) return <Administration />
  if (!error || isFetching) return <Loading text="Chargement..." />
  return (
    <div className="p-4 sm:p-6">
      <h1 className="sr-only">{TITLE}</h1>
      <LoadFailure text={errorText(error)} query={{ isFetching, refetch }} />
    </div>
  )
}

const Administration = () => {
  useZone()
  const query = useQuery(overviewQuery())
  const { data: overview, error, isFetching, refetch } = query
  const refresh = async (): Promise<void> => {
    const { isSuccess } = await refetch()
    if (isSuccess) announceToScreenReader('État actualisé')
  }
  return (
    <div className="@container mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <title>{TITLE}</title>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {TITLE}
        </h1>
        <Button
          icon={<RefreshCw aria-hidden="true" />}
          busy={isFetching}
          onClick={() => void refresh()}
        >
          Actualiser
        </Button>
      </div>
      {error && <LoadFailure text={errorText(error)} query={query} />}
      {!overview && !error && (
        <>
          <p role="status" className="sr-only">
            Chargement...
          </p>
          <div className="rounded-xl bg-card p-4 shadow-card">
            <Skeleton lines={6} />
          </div>
        </>
      )}
      {overview && (
        <>
          <HealthSection overview={overview} />
          {overview.has_accounts && (
            <>
              <SignUpSection mode={overview.accounts.sign_up_mode} />
              <AccountsSection overview={overview} />
            </>
          )}
          {!overview.has_accounts && (
            <p className="text-ink-2">
              Un autre service tient les comptes de cette installation : gérez-les là-bas.
            </p>
          )}
          <QueueSection overview={overview} />
          <StorageSection />
          <ErrorsSection overview={overview} />
        </>
      )}
    </div>
  )
}

export default AdministrationPage
