import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useDialogs } from '#web/ui/dialogs.tsx'

/** Says how a consent at Kit ended, once, or begins one that was started over there. */
export const useKitReturn = ({
  failure,
  onInstall,
}: {
  failure: string
  onInstall: (return_to?: string) => void
}): void => {
  const { alert } = useDialogs()
  const [query, setQuery] = useSearchParams()
  const outcome = query.get('convertkit')
  const redirect = query.get('redirect')
  const isSaid = useRef(false)
  useEffect(() => {
    if (outcome === null || isSaid.current) return
    isSaid.current = true
    setQuery({}, { replace: true })
    if (outcome === 'ok') void alert('Kit est connecté.')
    else if (outcome === 'install') onInstall(redirect ?? undefined)
    else void alert(failure, { title: 'Erreur' })
  }, [outcome, redirect, alert, setQuery, failure, onInstall])
}
