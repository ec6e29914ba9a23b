import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { settingsPath } from '#domain/common/settings-path.ts'
import { CHANNELS, type ChannelName, LIMITS } from '#domain/common/vocabulary.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '#domain/deliveries/delivery.ts'
import { DELIVERY_LABELS } from '#domain/deliveries/delivery-labels.ts'
import { CHANNEL_LABELS } from '#domain/deliveries/integrations.ts'
import { hasEmailQuestion } from '#domain/questionnaire/consent/consent.ts'
import { isSondage, type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery } from '#web/api/queries.ts'
import { earlierQuery } from '#web/integrations/integration-queries.ts'
import { NoEmailNote } from '#web/integrations/provider-card.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { QuizFailure } from '#web/ui/feedback/quiz-failure.tsx'
import { Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { SearchField } from '#web/ui/form/search-field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { DELIVERIES_REGION, DeliveriesTable } from './deliveries-table.tsx'
import { Erasures } from './erasures.tsx'
import { LedgerCard } from './ledger-card.tsx'

/** Renders the delivery of each participant to each tool of the quiz. */
const DeliveriesPage = () => {
  const { id = '' } = useParams()
  return <Deliveries key={id} quizId={id} />
}

type LedgerFilters = {
  provider: ChannelName | undefined
  status: DeliveryStatus | undefined
  email: string
}

/** A retry of one delivery, or of all refused deliveries to one target. */
type RetryRequest = {
  provider: ChannelName
  connection_id?: string | undefined
  participant_uuid?: string
}

/** Returns the query of the deliveries page by page, newest first; each page includes the balances. */
const deliveriesQuery = (id: string, { email, ...filters }: LedgerFilters) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'deliveries', { email, ...filters }],
    queryFn: ({ pageParam: cursor }) =>
      client.deliveries.list({ id, ...filters, email: email || undefined, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
    placeholderData: (before) => before,
    // Pending deliveries may be sent at any moment.
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.ledgers.some(({ balance }) => balance.pending > 0) ? 5_000 : false,
  })

/** Returns how participants get to tools, for a questionnaire without any. */
const noToolText = (quiz: Pick<Quiz, 'type'>): string =>
  `Activez Kit, Systeme.io ou Brevo, ou ajoutez un webhook dans les réglages du ${quizNoun(quiz)} : les participants y arrivent avec ${isSondage(quiz) ? 'leurs réponses' : 'leur résultat'}.`

const EVERYTHING: LedgerFilters = { provider: undefined, status: undefined, email: '' }
const TAB_STOP = 0

const Deliveries = ({ quizId }: { quizId: string }) => {
  const queries = useQueryClient()
  const [filters, setFilters] = useState(EVERYTHING)
  const quiz = useQuery(quizQuery(quizId))
  const listed = useInfiniteQuery(deliveriesQuery(quizId, filters))
  const [pages, setPages] = useState(listed.data?.pages)
  // The previous pages stay while the pages of other filters cannot be read.
  if (listed.data && listed.data.pages !== pages) setPages(listed.data.pages)
  const earlier = useQuery(earlierQuery(quizId))
  const retrying = useMutation({
    mutationFn: (body: RetryRequest) => client.deliveries.retry({ id: quizId, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['quizzes', quizId, 'deliveries'] }),
  })
  const error = quiz.error ?? listed.error
  if (!quiz.data || !pages)
    return error ? <QuizFailure error={error} /> : <Loading text="Chargement..." />

  const [first] = pages
  const deliveries = pages.flatMap((page) => page.deliveries)
  const ledgers = first?.ledgers ?? []
  // Forwarding follows the published version. The draft decides only for a quiz that is not published yet.
  const hasEmail = first?.asks_for_email ?? hasEmailQuestion(quiz.data.questions)
  const nbNotAsked = (provider: ChannelName): number =>
    earlier.data?.providers.find((candidate) => candidate.provider === provider)?.nb_not_asked ?? 0
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <div className="flex items-start justify-between gap-2">
        <ScreenHeader
          title={`Envois : ${quiz.data.quiz.name}`}
          back={{ to: `/quiz/${quizId}/statistics`, label: 'Retour aux statistiques' }}
        />
        <HelpLink about="envois" page="envois-en-echec" />
      </div>
      {retrying.error && (
        <p role="alert" className="text-bad">
          {errorText(retrying.error)}
        </p>
      )}
      {error && (
        <ReadFailure
          error={error}
          onRetry={() => void Promise.all([quiz.refetch(), listed.refetch()])}
        />
      )}
      {ledgers.length === 0 ? (
        <Message
          title={`Aucun outil n’est activé pour ce ${quizNoun(quiz.data.quiz)}`}
          text={noToolText(quiz.data.quiz)}
          action={
            <ButtonLink to={settingsPath(quizId, 'integrations')} variant="primary">
              Réglages du {quizNoun(quiz.data.quiz)}
            </ButtonLink>
          }
        />
      ) : (
        <>
          {!hasEmail && <NoEmailNote />}
          {ledgers.map((ledger) => (
            <LedgerCard
              key={ledger.connection_id ?? ledger.provider}
              quizId={quizId}
              nbNotAsked={nbNotAsked(ledger.provider)}
              ledger={ledger}
              isRetrying={retrying.isPending}
              onRetry={() =>
                retrying.mutate({
                  provider: ledger.provider,
                  connection_id: ledger.connection_id ?? undefined,
                })
              }
            />
          ))}
          <Filters filters={filters} onChange={setFilters} />
          <section
            id={DELIVERIES_REGION}
            aria-label="Tableau des envois"
            tabIndex={TAB_STOP}
            className="max-h-[80dvh] overflow-auto rounded-xl border border-line"
          >
            <DeliveriesTable
              deliveries={deliveries}
              onRetry={({ provider, connection_id, participant_uuid }) =>
                retrying.mutate({ provider, connection_id, participant_uuid })
              }
            />
          </section>
          <p role="status" className="text-center text-ink-2 empty:hidden">
            {deliveries.length === 0 ? 'Aucun envoi ne correspond.' : ''}
          </p>
          {listed.hasNextPage && (
            <Button
              className="self-center"
              busy={listed.isFetchingNextPage}
              onClick={() => void listed.fetchNextPage()}
            >
              Afficher plus d’envois
            </Button>
          )}
        </>
      )}
      <Erasures quizId={quizId} />
    </div>
  )
}

/** Renders the reason why the shown deliveries could not be updated, with a retry button. */
const ReadFailure = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.querySelector('h1'))
  return (
    <div ref={ref} role="alert" className="flex flex-wrap items-center gap-3">
      <p className="text-bad">{errorText(error)}</p>
      <Button onClick={onRetry}>Réessayer</Button>
    </div>
  )
}

const Filters = ({
  filters,
  onChange,
}: {
  filters: LedgerFilters
  onChange: (filters: LedgerFilters) => void
}) => (
  <div className="grid gap-3 sm:grid-cols-3">
    <SearchField
      label="Rechercher un participant"
      hint="Début du nom, de l’adresse ou du numéro de téléphone."
      maxLength={LIMITS.email}
      searched={filters.email}
      onSearch={(email) => onChange({ ...filters, email })}
    />
    <Select
      label="Outil"
      value={filters.provider ?? 'all'}
      options={[
        { value: 'all', label: 'Tous' },
        ...CHANNELS.map((value) => ({ value, label: CHANNEL_LABELS[value] })),
      ]}
      onChange={(value) =>
        onChange({ ...filters, provider: CHANNELS.find((channel) => channel === value) })
      }
    />
    <Select
      label="État"
      value={filters.status ?? 'all'}
      options={[
        { value: 'all', label: 'Tous' },
        ...DELIVERY_STATUSES.map((value) => ({ value, label: DELIVERY_LABELS[value] })),
      ]}
      onChange={(value) =>
        onChange({ ...filters, status: DELIVERY_STATUSES.find((status) => status === value) })
      }
    />
  </div>
)

export default DeliveriesPage
