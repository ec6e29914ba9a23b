import type { Participant } from '#contract/statistics.ts'
import { Button } from '#web/ui/button.tsx'
import { ParticipantsTable } from './participants-table.tsx'

/** The participants loaded so far, and the way to the next ones. */
export const Participants = ({
  participants,
  hasMore,
  isLoadingMore,
  loadMoreError,
  onMore,
}: {
  participants: readonly Participant[]
  hasMore: boolean
  isLoadingMore: boolean
  loadMoreError: string | null
  onMore: () => void
}) => (
  <section aria-labelledby="participants" className="flex min-w-0 flex-col gap-4">
    <h2 id="participants" className="text-lg font-semibold">
      Réponses détaillées
    </h2>
    <section
      aria-label="Tableau des participants"
      className="overflow-x-auto rounded-xl border border-line"
    >
      <ParticipantsTable participants={participants} />
    </section>
    {loadMoreError && (
      <p role="alert" className="text-bad">
        {loadMoreError}
      </p>
    )}
    {hasMore && (
      <Button busy={isLoadingMore} onClick={onMore} className="self-center">
        {isLoadingMore ? 'Chargement...' : 'Afficher plus de participants'}
      </Button>
    )}
  </section>
)
