import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import { DELIVERY_LABELS } from '#domain/deliveries/delivery-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import {
  type AccountStatus,
  accountStatusQuery,
  recheckAccount,
  totalsQuery,
} from './integration-queries.ts'
import { useAlertOnFailure } from './use-alert-on-failure.ts'

/** Renders the totals of the deliveries of all quizzes to one tool; nothing without deliveries. */
export const DeliveryTotals = ({ provider }: { provider: ProviderName }) => {
  const { data } = useQuery(totalsQuery())
  const totals = data?.providers.find((candidate) => candidate.provider === provider)
  const parts = DELIVERY_STATUSES.filter((status) => (totals?.[status] ?? 0) > 0)
  if (!totals || parts.length === 0) return null
  return (
    <p className="text-sm text-ink-2 tabular-nums">
      {parts.map((status) => `${DELIVERY_LABELS[status]} : ${totals[status]}`).join(' · ')}
    </p>
  )
}

/** Checks the account again after the creator has fixed the problem at the tool. */
export const RecheckButton = ({ provider }: { provider: ProviderName }) => {
  const queryClient = useQueryClient()
  const { run, isBusy } = useAlertOnFailure()
  const ask = (): Promise<void> =>
    run(
      async () => {
        const { needs_attention, message } = await recheckAccount[provider]()
        await queryClient.invalidateQueries(accountStatusQuery(provider))
        return needs_attention && message ? message : 'La connexion fonctionne.'
      },
      { failure: 'Erreur lors de la connexion' },
    )
  return (
    <Button busy={isBusy} onClick={ask}>
      Réessayer
    </Button>
  )
}

/** Warns that a quiz with forwarding has no email question. */
export const NoEmailNote = () => (
  <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
    <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
    Ce questionnaire n’a pas de question email : aucun participant ne sera envoyé.
  </p>
)

/** Links to the help about each tool, by the name of the tool. */
const HELP_LINKS: Record<string, ReactNode> = {
  Kit: <HelpLink about="Kit" page="kit" />,
  'Systeme.io': <HelpLink about="Systeme.io" page="systeme-io" />,
  Brevo: <HelpLink about="Brevo" page="brevo" />,
}

/** Renders one email tool: its name, its connection and its actions. */
export const ProviderCard = ({
  title,
  level,
  status,
  children,
}: {
  title: string
  level: 2 | 3
  status: AccountStatus | undefined
  children: ReactNode
}) => {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Heading id={id} className="mr-auto text-base font-semibold">
          {title}
        </Heading>
        {status?.isConnected && (
          <Badge tone={status.needs_attention ? 'warn' : 'ok'}>
            {status.needs_attention ? 'À reconnecter' : 'Connecté'}
          </Badge>
        )}
        {HELP_LINKS[title]}
      </div>
      {status?.needs_attention && (
        <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          {status.message}
        </p>
      )}
      {children}
    </section>
  )
}
