import { Navigate } from 'react-router'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { readReturnPath } from './return-path.ts'
import { SecondFactor } from './second-factor.tsx'
import { useSession } from './session.tsx'

/** Renders the step after the password of an account with a second factor. */
const SecondFactorPage = () => {
  const { user, isLoading, isFactorMissing } = useSession()
  if (isLoading) return <Loading text="Chargement..." />
  if (!user) return <Navigate to="/login" replace />
  if (!isFactorMissing) return <Navigate to={readReturnPath(user)} replace />
  return <SecondFactor title="Double authentification" />
}

export default SecondFactorPage
