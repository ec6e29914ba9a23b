import { type ComponentProps, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router'
import type { SessionOwner } from '#web/api/auth-client.ts'
import { useAccountTimeZone } from '#web/session/account-time-zone.ts'
import type { EndedSession as Ended } from '#web/session/ended-session.tsx'
import { clearReturnPath, saveReturnPath } from '#web/session/return-path.ts'
import { useSession } from '#web/session/session.tsx'
import { clearAnnouncement } from '#web/ui/feedback/announcer.tsx'
import { lazyPart, lazyScreen } from '#web/ui/feedback/lazy-part.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { Layout } from './layout.tsx'

const LoginPage = lazyScreen(() => import('#web/session/login-page.tsx'))
const SignupPage = lazyScreen(() => import('#web/session/signup-page.tsx'))
const RarePage = lazyScreen(() => import('./rare-page.tsx'))
const SecondFactorPage = lazyScreen(() => import('#web/session/second-factor-page.tsx'))
const EndedSession = lazyPart<ComponentProps<typeof Ended>>(
  () => import('#web/session/ended-session.tsx').then((part) => ({ default: part.EndedSession })),
  'La reconnexion n’a pas pu être chargée.',
)
const DashboardPage = lazyScreen(() => import('#web/dashboard/dashboard-page.tsx'))
const AccountPage = lazyScreen(() => import('#web/account/account-page.tsx'))
const DetailsPage = lazyScreen(() => import('#web/editor/details/details-page.tsx'))
const ResultsPage = lazyScreen(() => import('#web/editor/results/results-page.tsx'))
const QuestionsPage = lazyScreen(() => import('#web/editor/questions/questions-page.tsx'))
const SettingsPage = lazyScreen(() => import('#web/editor/settings/settings-page.tsx'))
const PreviewPage = lazyScreen(() => import('#web/preview/preview-page.tsx'))
const DeliveriesPage = lazyScreen(() => import('#web/deliveries/deliveries-page.tsx'))
const StatisticsPage = lazyScreen(() => import('#web/statistics/report/statistics-page.tsx'))

/** Renders the screens of product 7.1; the server answers /q/{id} itself. */
export const Router = () => {
  useScreenChange()
  return (
    <Suspense fallback={<Loading text="Chargement..." />}>
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/login/phone" element={<RarePage page="phone_login" />} />
        <Route path="/signup" element={<SignupPage />} />
        <Route path="/confirmation" element={<RarePage page="confirmation" />} />
        <Route path="/forgot-password" element={<RarePage page="forgotten_password" />} />
        <Route path="/new-password" element={<RarePage page="new_password" />} />
        <Route path="/second-factor" element={<SecondFactorPage />} />
        <Route path="/statistiques/:token" element={<RarePage page="shared_statistics" />} />
        <Route element={<Protected />}>
          <Route path="/quiz/:id/preview" element={<PreviewPage />} />
          <Route element={<Layout />}>
            <Route path="/dashboard" element={<DashboardPage />} />
            <Route path="/corbeille" element={<RarePage page="trash" />} />
            <Route path="/settings" element={<AccountPage />} />
            <Route path="/admin" element={<RarePage page="admin" />} />
            <Route path="/quiz/create" element={<DetailsPage />} />
            <Route path="/quiz/:id/edit" element={<DetailsPage />} />
            <Route path="/quiz/:id/results" element={<ResultsPage />} />
            <Route path="/quiz/:id/questions" element={<QuestionsPage />} />
            <Route path="/quiz/:id/settings" element={<SettingsPage />} />
            <Route path="/quiz/:id/envois" element={<DeliveriesPage />} />
            <Route path="/quiz/:id/essais" element={<RarePage page="trial_runs" />} />
            <Route element={<RarePage page="campaigns" />}>
              <Route path="/quiz/:id/campagnes" />
              <Route path="/quiz/:id/campagnes/nouvelle" />
              <Route path="/quiz/:id/campagnes/:campaignId" />
              <Route path="/quiz/:id/campagnes/:campaignId/evolution" />
              <Route path="/quiz/:id/campagnes/:campaignId/preuves" />
            </Route>
            <Route path="/quiz/:id/statistics" element={<StatisticsPage />} />
          </Route>
        </Route>
        <Route path="*" element={<Navigate to="/login" replace />} />
      </Routes>
    </Suspense>
  )
}

/** Renders screens for signed-in creators only (product 7.2). */
const Protected = () => {
  const { user, isLoading, isFactorMissing, isEnded, lostOwner } = useSession()
  const isOpen = user !== null && !isFactorMissing
  const zone_key = useAccountTimeZone(isOpen ? user.id : undefined)
  useEffect(() => {
    if (isOpen) clearReturnPath()
  }, [isOpen])
  if (isLoading) return <Loading text="Chargement..." />
  if (isFactorMissing) return <RedirectToLogin to="/second-factor" owner={user} />
  if (!user) return <RedirectToLogin to="/login" owner={lostOwner} />
  return (
    <>
      <Outlet key={zone_key} />
      <Suspense>{isEnded && <EndedSession user={user} />}</Suspense>
    </>
  )
}

/** Redirects to a step of the sign-in, and saves the requested path for the owner of the session. */
const RedirectToLogin = ({
  to,
  owner,
}: {
  to: '/login' | '/second-factor'
  owner: SessionOwner | null
}) => {
  const { pathname, search } = useLocation()
  // Runs before the redirect, which happens in an effect.
  useLayoutEffect(() => saveReturnPath(pathname + search, owner), [pathname, search, owner])
  return <Navigate to={to} replace />
}

/**
 * Scrolls a new screen to its top and focuses its heading, so that a screen reader reads it. The announcement of the
 * screen before ends with that screen.
 */
const useScreenChange = (): void => {
  const { pathname } = useLocation()
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the live region is emptied when the path changes
  useEffect(() => clearAnnouncement, [pathname])
  useEffect(() => {
    // The browser does this by itself on the first screen.
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo(0, 0)
    return focusHeadingOnceShown(pathname)
  }, [pathname])
}

const focusHeadingOnceShown = (pathname: string): (() => void) => {
  const focus = (): boolean => {
    const heading = document.querySelector<HTMLElement>('h1')
    // The screen may have set the focus itself.
    const isTaken = document.activeElement?.closest('main, dialog') != null
    if (!heading || location.pathname !== pathname) return isTaken
    if (!isTaken) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    return true
  }
  if (focus()) return () => undefined
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}
