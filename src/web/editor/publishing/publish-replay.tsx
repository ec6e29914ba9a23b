import { useQuery } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { formatNumber } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'
import {
  lostRepliesText,
  newestParticipantsText,
  type ReplayAnswer,
  replayTitle,
  unlistedMovesText,
} from './replay-labels.ts'

const MAX_ROWS = 6

type Moves = NonNullable<ReplayAnswer['results']>['moves']

/** Shows what an update would change for past participants. Never blocks the publication. */
export const PublishReplay = ({ session }: { session: DraftSession }) => {
  const { id, nb_responses } = session.view().draft.quiz
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['quizzes', id, 'replay'],
    queryFn: async () => {
      // Saves first, because the server replays the stored draft.
      await session.flush()
      return client.replay.get({ id })
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (data) return data.nb_replayed > 0 && <Outcome replay={data} />
  if (error) return <Failure busy={isFetching} onRetry={refetch} />
  return nb_responses > 0 && <Skeleton />
}

const Outcome = ({ replay }: { replay: ReplayAnswer }) => {
  const { results } = replay
  const title = replayTitle(replay)
  const [lost, newest] = [lostRepliesText(replay), newestParticipantsText(replay)]
  const shown = results?.moves.slice(0, MAX_ROWS) ?? []
  const rest = (results?.nb_changed ?? 0) - shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <section
      aria-label="Effet sur vos participants"
      className="mt-4 flex flex-col gap-3 rounded-xl bg-wash p-4 text-sm"
    >
      {title && <p className="font-medium">{title}</p>}
      {shown.length > 0 && <MovesTable moves={shown} />}
      {rest > 0 && <p>{unlistedMovesText(rest)}</p>}
      {lost && <p>{lost}</p>}
      {newest && <p className="text-ink-2">{newest}</p>}
      {(shown.length > 0 || lost) && (
        <p className="text-ink-2">Ce qu’ils ont reçu et vos statistiques restent tels quels.</p>
      )}
    </section>
  )
}

const NO_RESULT = 'Aucun résultat'

const MovesTable = ({ moves }: { moves: Moves }) => (
  <table className="w-full border-collapse text-left">
    <caption className="sr-only">De quel résultat vers lequel</caption>
    <thead className="text-ink-2">
      <tr>
        <th scope="col" className="py-1 pr-3 font-medium">
          De
        </th>
        <th scope="col" className="py-1 pr-3 font-medium">
          Vers
        </th>
        <th scope="col" className="py-1 text-right font-medium">
          Participants
        </th>
      </tr>
    </thead>
    <tbody>
      {moves.map(({ from, to, count }) => (
        <tr key={`${from?.id} ${to?.id}`} className="border-t border-line align-top">
          <td className="py-1 pr-3 wrap-anywhere" dir="auto">
            {from?.name ?? NO_RESULT}
          </td>
          <td className="py-1 pr-3 wrap-anywhere" dir="auto">
            {to?.name ?? NO_RESULT}
          </td>
          <td className="py-1 text-right tabular-nums">{formatNumber(count)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Failure = ({ busy, onRetry }: { busy: boolean; onRetry: () => unknown }) => (
  <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-wash p-4 text-sm">
    <p role="status" className="min-w-0 flex-1 basis-60">
      L’effet sur vos participants n’a pas pu être calculé. Vous pouvez publier quand même.
    </p>
    <Button busy={busy} onClick={() => void onRetry()}>
      Réessayer
    </Button>
  </div>
)

const Skeleton = () => (
  <div className="mt-4 rounded-xl bg-wash p-4">
    <p role="status" className="sr-only">
      Calcul de l’effet sur vos participants…
    </p>
    <div aria-hidden="true" className="flex flex-col gap-2">
      <div className="h-4 w-4/5 rounded-md bg-press" />
      <div className="h-4 w-2/5 rounded-md bg-press" />
    </div>
  </div>
)
