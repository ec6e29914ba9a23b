import { useLayoutEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { keepOnward } from './onward.ts'

/** Redirects to the login, and remembers the requested path. */
export const SignInFirst = () => {
  const { pathname, search } = useLocation()
  // Before the redirect, which happens in an effect.
  useLayoutEffect(() => keepOnward(pathname + search), [pathname, search])
  return <Navigate to="/login" replace />
}
