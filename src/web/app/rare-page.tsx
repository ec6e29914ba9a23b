import { lazyScreen } from '#web/ui/feedback/lazy-part.tsx'

const PAGES = {
  phone_login: lazyScreen(() => import('#web/session/phone-login-page.tsx')),
  forgotten_password: lazyScreen(() => import('#web/session/forgot-password-page.tsx')),
  confirmation: lazyScreen(() => import('#web/session/confirmation-page.tsx')),
  new_password: lazyScreen(() => import('#web/session/new-password-page.tsx')),
  trial_runs: lazyScreen(() => import('#web/trial-runs/trial-runs-page.tsx')),
  trash: lazyScreen(() => import('#web/dashboard/trash/trash-page.tsx')),
  campaigns: lazyScreen(() => import('#web/campaigns/campaigns-page.tsx')),
  admin: lazyScreen(() => import('#web/admin/administration-page.tsx')),
  shared_statistics: lazyScreen(() => import('#web/shared-statistics/shared-statistics-page.tsx')),
}

/**
 * Renders a screen that few creators open. Its loader is a chunk of its own, so that other screens do not carry the
 * list.
 */
const RarePage = ({ page }: { page: keyof typeof PAGES }) => {
  const Page = PAGES[page]
  return <Page />
}

export default RarePage
