import type { Provider } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AUTH_HEADERS, AUTH_URL, auth } from './auth-client.ts'

/** Ways in that are no provider. */
const OWN = ['email', 'phone', 'anonymous_users']

const loadProviders = async (): Promise<string[]> => {
  const reply = await fetch(`${AUTH_URL}/settings`, { headers: AUTH_HEADERS })
  if (!reply.ok) return []
  const { external } = (await reply.json()) as { external?: Record<string, boolean> }
  return Object.entries(external ?? {})
    .filter(([name, isOn]) => isOn && !OWN.includes(name))
    .map(([name]) => name)
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** A button for each provider that this installation has; none, and no space, when there is none. */
export const ExternalWays = () => {
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    // Whoever cannot be asked offers nothing: the password is there all the same.
    loadProviders().then(setNames, () => undefined)
  }, [])
  const leave = (name: string): void => {
    const redirectTo = `${window.location.origin}/login`
    // The client lists the providers of its own host; ours are named by whoever runs the server.
    void auth.signInWithOAuth({ provider: name as Provider, options: { redirectTo } })
  }
  return names.map((name) => (
    <Button key={name} size="large" onClick={() => leave(name)}>
      Continuer avec {titled(name)}
    </Button>
  ))
}
