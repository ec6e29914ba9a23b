import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { isKitReturn, KIT_RETURN_WORDS } from '#domain/kit-return.ts'
import { forgetOnward } from '#web/session/onward.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'

type Connecting = { return_to?: string | undefined; replace_account?: 'true' }

/** Handles a return from Kit once: shows the outcome of the OAuth consent, or starts one. */
export const useKitReturn = (connect: (how: Connecting) => void): void => {
  const { alert, confirm } = useDialogs()
  const [query, setQuery] = useSearchParams()
  const said = query.get('convertkit')
  const return_to = query.get('redirect') ?? undefined
  const isSaid = useRef(false)
  useEffect(() => {
    if (said === null || isSaid.current) return
    isSaid.current = true
    forgetOnward()
    setQuery({}, { replace: true })
    if (said === 'install') {
      connect({ return_to })
      return
    }
    const outcome = isKitReturn(said) ? said : 'error'
    const words = KIT_RETURN_WORDS[outcome]
    if (outcome === 'ok') void alert(words)
    else if (outcome !== 'other') void alert(words, { title: 'Erreur' })
    else
      void confirm(words, { confirm_label: 'Connecter cet autre compte' }).then((isAgreed) => {
        if (isAgreed) connect({ replace_account: 'true' })
      })
  }, [said, return_to, alert, confirm, setQuery, connect])
}
