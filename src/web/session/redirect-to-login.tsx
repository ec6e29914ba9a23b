import { useLayoutEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { saveReturnPath } from './return-path.ts'

/** Redirects to the login, and remembers the requested path. */
export const RedirectToLogin = () => {
  const { pathname, search } = useLocation()
  // Before the redirect, which happens in an effect.
  useLayoutEffect(() => saveReturnPath(pathname + search), [pathname, search])
  return <Navigate to="/login" replace />
}
