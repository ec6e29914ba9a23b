import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { DryRunParticipant } from '#contract/forwarding/dry-runs.ts'
import type { DryRunSubject } from '#domain/deliveries/dry-run.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { formatDate, formatShown, MISSING } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { withZone } from '#web/ui/moments.ts'
import { TableHead } from '#web/ui/table-head.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { type DryRunEffect, dryRunQuestion, dryRunSentence } from './dry-run-labels.ts'

/** Polling interval while participants of a large quiz are counted; its twin is in statistics/queries.ts. */
const COUNTING_POLL_MS = 1_500

const fieldsOf = (subject: DryRunSubject) =>
  'source' in subject
    ? {
        source: subject.source,
        question_id: subject.question_id ?? undefined,
        dimension_id: subject.dimension_id ?? undefined,
      }
    : {
        result_id: subject.result_id ?? undefined,
        question_id: subject.question_id ?? undefined,
        answer_id: subject.answer_id ?? undefined,
        dimension_id: subject.dimension_id ?? undefined,
        tier_id: subject.tier_id ?? undefined,
      }

const dryRunQuery = (id: string, subject: DryRunSubject) =>
  infiniteQueryOptions({
    queryKey: ['quizzes', id, 'dry-run', fieldsOf(subject)],
    queryFn: ({ pageParam: cursor }) =>
      lazyClient.dryRuns.get({ id, ...fieldsOf(subject), cursor, async: '1' }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data?.pages[0]?.as_of ? COUNTING_POLL_MS : false,
  })

const useDryRun = (quizId: string, subject: DryRunSubject) =>
  useInfiniteQuery(dryRunQuery(quizId, subject))
type DryRunState = ReturnType<typeof useDryRun>

const FAILURE = 'Vos participants n’ont pas pu être comptés.'

/** Renders the number of participants, the wait for it, or the reason why it is missing. */
const Count = ({ run, effect }: { run: DryRunState; effect: DryRunEffect }) => {
  const { data, error, fetchStatus, isFetchNextPageError } = run
  const [first] = data?.pages ?? []
  const isOffline = fetchStatus === 'paused'
  return (
    <>
      <p role="status" className="text-sm empty:hidden">
        {first && dryRunSentence(first, effect)}
        {first && isOffline && ' '}
        {isOffline && 'Vous êtes hors connexion : la suite arrivera avec le réseau.'}
        {!first && !isOffline && !error && (
          <span className="appear-late text-ink-2">Comptage de vos participants…</span>
        )}
      </p>
      {error && !isFetchNextPageError && (
        <LoadFailure text={failureText(error, FAILURE)} query={run} />
      )}
    </>
  )
}

const CELL = 'border-t border-line py-2 pr-3 align-top wrap-anywhere'

const Row = ({
  quizId,
  participant: { participant_uuid, created_at, email, name, value },
  hasValue,
}: {
  quizId: string
  participant: DryRunParticipant
  hasValue: boolean
}) => (
  <tr>
    <td className={CELL}>
      {name !== null && (
        <span className="block" dir="auto">
          {name}
        </span>
      )}
      {/* The fields of an open form stay, because the participant opens in another tab. */}
      <Link
        to={`/quiz/${quizId}/statistics?participant=${participant_uuid}`}
        target="_blank"
        rel="noreferrer"
        aria-label={`${email} : voir ses réponses (nouvel onglet)`}
        title="Ouvrir dans un nouvel onglet"
        className="inline-flex min-h-6 items-center text-brand underline underline-offset-2 pointer-coarse:min-h-11"
      >
        {email}
      </Link>
    </td>
    <td className={`${CELL} tabular-nums`}>{formatDate(created_at)}</td>
    {hasValue && (
      <td className={CELL} dir="auto">
        {value ?? MISSING}
      </td>
    )}
  </tr>
)

/** Renders the loaded participants, with a button for more. */
const List = ({
  quizId,
  run,
  valueTitle,
}: {
  quizId: string
  run: DryRunState
  valueTitle: string | null
}) => {
  const id = useId()
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError } = run
  const participants = data?.pages.flatMap((page) => page.participants) ?? []
  const count = data?.pages[0]?.nb_matching ?? null
  return (
    <section
      id={id}
      aria-label="Participants concernés"
      // Receives the focus of the button that disappears with the last page.
      tabIndex={-1}
      className="flex flex-col gap-2"
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">Participants concernés, les plus récents d’abord</caption>
        <TableHead
          columns={[
            { title: 'Participant', key: 'name' },
            { title: withZone('Date'), key: 'date' },
            ...(valueTitle === null ? [] : [{ title: valueTitle, key: 'value' }]),
          ]}
          className="py-2 pr-3"
        />
        <tbody>
          {participants.map((participant) => (
            <Row
              key={participant.participant_uuid}
              quizId={quizId}
              participant={participant}
              hasValue={valueTitle !== null}
            />
          ))}
        </tbody>
      </table>
      <p role="status" className="text-sm text-ink-2 tabular-nums empty:hidden">
        {(data?.pages.length ?? 0) > 1 || hasNextPage
          ? formatShown(participants.length, count)
          : ''}
      </p>
      {isFetchNextPageError && (
        <p role="alert" className="text-sm text-bad">
          {failureText(error, 'La suite n’a pas pu être chargée.')}
        </p>
      )}
      {hasNextPage && (
        <More
          isBusy={isFetchingNextPage}
          label={isFetchNextPageError ? 'Réessayer' : 'Afficher plus de participants'}
          regionId={id}
          onPress={() => void run.fetchNextPage()}
        />
      )}
    </section>
  )
}

const More = ({
  isBusy,
  label,
  regionId,
  onPress,
}: {
  isBusy: boolean
  label: string
  regionId: string
  onPress: () => void
}) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.getElementById(regionId))
  return (
    <div ref={ref}>
      <Button busy={isBusy} onClick={onPress}>
        {isBusy ? 'Chargement...' : label}
      </Button>
    </div>
  )
}

type Props = {
  quizId: string
  subject: DryRunSubject
  /** Decides the words: 'received' for a tag or a field, 'added' for a list. */
  effect: DryRunEffect
  /** Title of the column of values; null for a rule, which has none. */
  valueTitle?: string | null
}

const HINT =
  'Sont comptés ceux dont l’adresse peut être envoyée à vos outils. Cette liste n’envoie rien.'

const Listed = ({
  run,
  quizId,
  valueTitle = null,
}: Pick<Props, 'quizId' | 'valueTitle'> & { run: DryRunState }) => (
  <>
    <p className="text-sm text-ink-2">{HINT}</p>
    <List quizId={quizId} run={run} valueTitle={valueTitle} />
  </>
)

const hasParticipants = ({ data }: DryRunState): boolean =>
  (data?.pages[0]?.participants.length ?? 0) > 0

/**
 * Renders how many participants an unstored rule or mapping would have concerned, with their list in a disclosure. The
 * count is read at once, so a screen has one such part.
 */
export const DryRun = ({ quizId, subject, effect, valueTitle }: Props) => {
  const run = useDryRun(quizId, subject)
  return (
    <div className="flex flex-col gap-2">
      <Count run={run} effect={effect} />
      {hasParticipants(run) && (
        <details>
          <summary className="min-h-6 text-sm text-brand pointer-coarse:py-3">
            Voir ces participants
          </summary>
          <div className="mt-2 flex flex-col gap-2">
            <Listed run={run} quizId={quizId} valueTitle={valueTitle} />
          </div>
        </details>
      )}
    </div>
  )
}

const OpenedDryRun = ({ quizId, subject, effect, valueTitle }: Props) => {
  const run = useDryRun(quizId, subject)
  return (
    <div className="mt-2 flex flex-col gap-2">
      <Count run={run} effect={effect} />
      {hasParticipants(run) && <Listed run={run} quizId={quizId} valueTitle={valueTitle} />}
    </div>
  )
}

/**
 * Renders a disclosure with the dry run of a stored rule or mapping. Participants are counted only while it is open,
 * because a quiz has many rules.
 */
export const DryRunDisclosure = (props: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-6 text-sm text-brand pointer-coarse:py-3">
        {dryRunQuestion(props.effect)}
      </summary>
      {isOpen && <OpenedDryRun {...props} />}
    </details>
  )
}
