import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ListedErasure, ListedPageAction } from '#contract/erasures.ts'
import {
  ERASURE_LABELS,
  ERASURE_STATUS_LABELS,
  type ErasureStatus,
} from '#domain/deliveries/erasures.ts'
import { PAGE_ACTION_LABELS } from '#domain/participant-pages/page-actions.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { DisappearingButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatMoment, withZone } from '#web/ui/moments.ts'
import { TableHead } from '#web/ui/table-head.tsx'
import { deliveryTarget } from './delivery-labels.tsx'

/** Returns the query of the erasures, polled while one is in progress. */
const erasuresQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'erasures'],
    queryFn: () => lazyClient.erasures.list({ id }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.erasures.some(({ status }) => status === 'pending') ? 5_000 : false,
  })

const CELL = 'border-t border-line px-3 py-2 align-top wrap-anywhere'
const TAB_STOP = 0
const REGION = 'erasures-region'
const TONES: Record<ErasureStatus, 'ok' | 'warn' | 'info'> = {
  done: 'ok',
  pending: 'info',
  refused: 'warn',
}

/** Renders erasure requests to tools and webhooks, and actions on participants' pages; nothing if there are none. */
export const Erasures = ({ quizId }: { quizId: string }) => {
  const queries = useQueryClient()
  const query = erasuresQuery(quizId)
  const { data, error } = useQuery(query)
  const { erasures = [], page_actions = [] } = data ?? {}
  const retrying = useMutation({
    mutationFn: (erasureId: string) => lazyClient.erasures.retry({ id: quizId, erasureId }),
    onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  })
  const failure = retrying.error ?? error
  if (erasures.length === 0 && page_actions.length === 0 && !failure) return null
  return (
    <section aria-labelledby="erasures" className="flex flex-col gap-3">
      <h2 id="erasures" className="text-lg font-semibold">
        Effacements
      </h2>
      <p className="text-sm text-ink-2">
        Ce qui a été demandé à vos outils, et annoncé à vos webhooks, pour les personnes supprimées
        ici. Qui elles sont n’est plus gardé ; chaque ligne reste un an.
      </p>
      {failure && (
        <p role="alert" className="text-bad">
          {errorText(failure)}
        </p>
      )}
      <PageActions actions={page_actions} />
      {erasures.length > 0 && (
        <section
          id={REGION}
          aria-label="Tableau des effacements"
          tabIndex={TAB_STOP}
          className="max-h-[80dvh] overflow-auto rounded-xl border border-line"
        >
          <table className="w-full min-w-xl border-separate border-spacing-0 text-sm">
            <caption className="sr-only">Effacements, du plus récent au plus ancien</caption>
            <TableHead
              columns={[withZone('Date'), 'Outil', 'Demande', 'Réponse'].map((title) => ({
                title,
              }))}
              className="bg-wash px-3 py-2"
            />
            <tbody>
              {erasures.map((erasure) => (
                <Row
                  key={erasure.id}
                  erasure={erasure}
                  isRetrying={retrying.isPending && retrying.variables === erasure.id}
                  onRetry={() => retrying.mutate(erasure.id)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}

/** Renders the erasures and withdrawals that participants made on their pages; nothing if there are none. */
const PageActions = ({ actions }: { actions: readonly ListedPageAction[] }) =>
  actions.length > 0 && (
    <ul aria-label="Droits exercés par des participants" className="flex flex-col gap-1 text-sm">
      {actions.map(({ id, kind, created_at }) => (
        <li key={id}>
          <span className="tabular-nums text-ink-2">{formatMoment(created_at)}</span>{' '}
          {PAGE_ACTION_LABELS[kind]}
        </li>
      ))}
    </ul>
  )

const Row = ({
  erasure,
  isRetrying,
  onRetry,
}: {
  erasure: ListedErasure
  isRetrying: boolean
  onRetry: () => void
}) => {
  const { kind, status, created_at, message, next_attempt_at, can_retry, by_participant } = erasure
  return (
    <tr>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>{formatMoment(created_at)}</td>
      <td className={`${CELL} min-w-32`}>{deliveryTarget(erasure)}</td>
      <td className={`${CELL} min-w-28`}>
        {ERASURE_LABELS[kind]}
        {by_participant && <span className="block text-ink-2">Par le participant</span>}
      </td>
      <td className={`${CELL} min-w-44`}>
        <div className="flex flex-col items-start gap-1">
          <Badge tone={TONES[status]}>{ERASURE_STATUS_LABELS[status]}</Badge>
          {message && <span className="text-ink-2">{message}</span>}
          {can_retry && next_attempt_at && (
            <span className="text-ink-2">{`Prochaine tentative : ${formatMoment(next_attempt_at)}`}</span>
          )}
          {can_retry && (
            <DisappearingButton next_id={REGION} busy={isRetrying} onClick={onRetry}>
              Réessayer
            </DisappearingButton>
          )}
        </div>
      </td>
    </tr>
  )
}
