import { useLayoutEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { keepOnward } from './onward.ts'

/** Leads to the sign-in, and remembers where from where that matters. */
export const SignInFirst = () => {
  const { pathname, search } = useLocation()
  // Before the way leads on, which an effect does.
  useLayoutEffect(() => keepOnward(pathname + search), [pathname, search])
  return <Navigate to="/login" replace />
}
