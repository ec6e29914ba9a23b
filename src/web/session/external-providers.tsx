import type { Provider } from '@supabase/auth-js'
import { useQuery } from '@tanstack/react-query'
import { auth } from '#web/api/auth-client.ts'
import { Button } from '#web/ui/button.tsx'
import { authSettingsQuery, providerName } from './auth-settings.ts'

/** A button for each sign-in provider of this installation; nothing when there is none. */
export const ExternalProviders = () => {
  const { data: settings } = useQuery(authSettingsQuery())
  const leave = (name: string): void => {
    const redirectTo = `${window.location.origin}/login`
    // The client's type lists the providers of its own host; ours are configured by the operator.
    void auth.signInWithOAuth({ provider: name as Provider, options: { redirectTo } })
  }
  return settings?.providers.map((name) => (
    <Button key={name} size="large" onClick={() => leave(name)}>
      Continuer avec {providerName(name)}
    </Button>
  ))
}
