import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { Toasts } from '#web/ui/feedback/toasts.tsx'
import { useNotice } from '#web/ui/feedback/use-notice.ts'
import { quizSwitchesQuery, totalsQuery } from './integration-queries.ts'
import { ConnectButton, useToolConnection } from './use-tool-connection.tsx'

/** Reconnects the tools that refuse the account, for one quiz or for all. Renders no note if no tool refuses. */
export const ReconnectNote = ({ quizId }: { quizId?: string }): ReactNode => {
  const queryClient = useQueryClient()
  const notice = useNotice()
  const { connect, dialog } = useToolConnection({
    quiz_id: quizId,
    screen: quizId === undefined ? 'dashboard' : 'statistics',
    onConnected: (words) => {
      notice.announce(words)
      void queryClient.invalidateQueries(totalsQuery())
    },
  })
  const { data: totals } = useQuery(totalsQuery())
  const refusing = totals?.providers.filter(({ needs_attention }) => needs_attention) ?? []
  const { data: switches } = useQuery({
    ...quizSwitchesQuery(quizId ?? ''),
    enabled: quizId !== undefined && refusing.length > 0,
  })
  const providers = refusing
    .map(({ provider }) => provider)
    .filter((provider) => quizId === undefined || switches?.[provider].enabled)
  return (
    <>
      {providers.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl bg-warn-wash p-4 text-sm text-ink">
          <p role="status" className="flex min-w-0 flex-1 basis-60 gap-2">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
            {`À reconnecter : ${providers.map((provider) => PROVIDER_LABELS[provider]).join(', ')}. Les participants attendent, aucun n’est perdu.`}
          </p>
          {providers.map((provider) => (
            <ConnectButton key={provider} provider={provider} isConnected connect={connect} />
          ))}
        </div>
      )}
      {dialog}
      <Toasts toasts={notice.toasts} />
    </>
  )
}
