import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { isKitReturn, KIT_RETURN_WORDS } from '#domain/kit-return.ts'
import { clearReturnPath } from '#web/session/return-path.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'

type Connecting = { return_to?: string | undefined; replace_account?: 'true' }

/** Handles a return from Kit once: shows the outcome of the OAuth consent, or starts one. */
export const useKitReturn = (connect: (how: Connecting) => void): void => {
  const { alert, confirm } = useDialogs()
  const [query, setQuery] = useSearchParams()
  const returned = query.get('convertkit')
  const return_to = query.get('redirect') ?? undefined
  const isHandled = useRef(false)
  useEffect(() => {
    if (returned === null || isHandled.current) return
    isHandled.current = true
    clearReturnPath()
    setQuery({}, { replace: true })
    if (returned === 'install') {
      connect({ return_to })
      return
    }
    const outcome = isKitReturn(returned) ? returned : 'error'
    const words = KIT_RETURN_WORDS[outcome]
    if (outcome === 'ok') void alert(words)
    else if (outcome !== 'other') void alert(words, { title: 'Erreur' })
    else
      void confirm(words, { confirm_label: 'Connecter cet autre compte' }).then((isAgreed) => {
        if (isAgreed) connect({ replace_account: 'true' })
      })
  }, [returned, return_to, alert, confirm, setQuery, connect])
}
