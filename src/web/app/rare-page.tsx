import { lazyScreen } from '#web/ui/feedback/lazy-part.tsx'

const PAGES = {
  phone: lazyScreen(() => import('#web/session/phone-login-page.tsx')),
  forgotten: lazyScreen(() => import('#web/session/forgot-password-page.tsx')),
  confirmation: lazyScreen(() => import('#web/session/confirmation-page.tsx')),
  password: lazyScreen(() => import('#web/session/new-password-page.tsx')),
  tests: lazyScreen(() => import('#web/trial-runs/trial-runs-page.tsx')),
  figures: lazyScreen(() => import('#web/shared-statistics/shared-statistics-page.tsx')),
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
