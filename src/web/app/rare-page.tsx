import { lazy } from 'react'

const PAGES = {
  phone: lazy(() => import('#web/session/phone-login-page.tsx')),
  forgotten: lazy(() => import('#web/session/forgot-password-page.tsx')),
  confirmation: lazy(() => import('#web/session/confirmation-page.tsx')),
  password: lazy(() => import('#web/session/new-password-page.tsx')),
  tests: lazy(() => import('#web/trial-runs/trial-runs-page.tsx')),
  figures: lazy(() => import('#web/shared-statistics/shared-statistics-page.tsx')),
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
