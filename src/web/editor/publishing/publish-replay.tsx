import { useQuery } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { formatNumber } from '#web/statistics/format/format.ts'
import { TableHead } from '#web/ui/table-head.tsx'
import { PartFailure, PartSkeleton } from './part-state.tsx'
import {
  changedTiersText,
  type DimensionEffect,
  hasDimensionEffect,
  lostRepliesText,
  newestParticipantsText,
  newOrDeletedText,
  type ReplayAnswer,
  replayTitle,
  tierStateLabel,
  unchangedTiersText,
  unlistedMovesText,
  unlistedTierMovesText,
} from './replay-labels.ts'

const MAX_ROWS = 6

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
  if (error) {
    const text = 'L’effet sur vos participants n’a pas pu être calculé.'
    return <PartFailure text={text} busy={isFetching} onRetry={refetch} />
  }
  return nb_responses > 0 && <PartSkeleton text="Calcul de l’effet sur vos participants…" />
}

const Outcome = ({ replay }: { replay: ReplayAnswer }) => {
  const { results, dimensions } = replay
  const title = replayTitle(replay)
  const [lost, newest] = [lostRepliesText(replay), newestParticipantsText(replay)]
  const moves = results?.moves.map(({ from, to, count }) => ({
    key: `${from?.id} ${to?.id}`,
    count,
    from: from?.name ?? NO_RESULT,
    to: to?.name ?? NO_RESULT,
  }))
  const nb_changed = results?.nb_changed ?? 0
  const hasEffect = nb_changed > 0 || lost !== null || dimensions.some(hasDimensionEffect)
  return (
    <section
      aria-label="Effet sur vos participants"
      className="mt-4 flex flex-col gap-3 rounded-xl bg-wash p-4 text-sm"
    >
      {title && <p className="font-medium">{title}</p>}
      <Moves
        caption="De quel résultat vers lequel"
        moves={moves ?? []}
        total={nb_changed}
        unlistedText={unlistedMovesText}
      />
      {hasEffect && <TierChanges dimensions={dimensions} />}
      {lost && <p>{lost}</p>}
      {newest && <p className="text-ink-2">{newest}</p>}
      {hasEffect && (
        <p className="text-ink-2">Ce qu’ils ont reçu et vos statistiques restent tels quels.</p>
      )}
    </section>
  )
}

const NO_RESULT = 'Aucun résultat'

/** Maximum number of dimensions whose changes are open at first, because twelve tables would hide the other effects. */
const MAX_OPEN = 2

/** Shows the changes of tiers, one dimension after the other. */
const TierChanges = ({ dimensions }: { dimensions: readonly DimensionEffect[] }) => {
  const changed = dimensions.filter(({ nb_changed }) => nb_changed > 0)
  const unchanged = unchangedTiersText(dimensions)
  return (
    <>
      {changed.map((dimension) => (
        <details key={dimension.id} open={changed.length <= MAX_OPEN}>
          <summary className="min-h-6 cursor-pointer font-medium wrap-anywhere pointer-coarse:min-h-11">
            {changedTiersText(dimension)}
          </summary>
          <Moves
            caption={`De quel palier vers lequel – ${dimension.name}`}
            moves={dimension.moves.map(({ from, to, count }) => ({
              key: JSON.stringify([from, to]),
              count,
              from: tierStateLabel(from),
              to: tierStateLabel(to),
            }))}
            total={dimension.nb_changed}
            unlistedText={unlistedTierMovesText}
          />
        </details>
      ))}
      {unchanged && <p>{unchanged}</p>}
      {dimensions.filter(newOrDeletedText).map((dimension) => (
        <p key={dimension.id} className="wrap-anywhere">
          {newOrDeletedText(dimension)}
        </p>
      ))}
    </>
  )
}

type Move = { key: string; from: string; to: string; count: number }

/** Shows the most frequent changes, and the number of participants with other changes. */
const Moves = ({
  caption,
  moves,
  total,
  unlistedText,
}: {
  caption: string
  moves: readonly Move[]
  /** Number of participants with a change. */
  total: number
  unlistedText: (count: number) => string
}) => {
  const shown = moves.slice(0, MAX_ROWS)
  const rest = total - shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      {shown.length > 0 && <MovesTable caption={caption} moves={shown} />}
      {rest > 0 && <p>{unlistedText(rest)}</p>}
    </>
  )
}

const MovesTable = ({ caption, moves }: { caption: string; moves: readonly Move[] }) => (
  <table className="w-full border-collapse text-left">
    <caption className="sr-only">{caption}</caption>
    <TableHead
      columns={[
        { title: 'De' },
        { title: 'Vers' },
        { title: 'Participants', isRightAligned: true },
      ]}
      className="py-1 pr-3 last:pr-0"
    />
    <tbody>
      {moves.map(({ key, from, to, count }) => (
        <tr key={key} className="border-t border-line align-top">
          <td className="py-1 pr-3 wrap-anywhere" dir="auto">
            {from}
          </td>
          <td className="py-1 pr-3 wrap-anywhere" dir="auto">
            {to}
          </td>
          <td className="py-1 text-right tabular-nums">{formatNumber(count)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
