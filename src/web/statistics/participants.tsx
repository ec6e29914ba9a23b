import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Participant } from '#contract/statistics.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { ExplanationDialog } from './explanation-dialog.tsx'
import { formatShown } from './format.ts'
import { type ParticipantActions, ParticipantsTable } from './participants-table.tsx'

const REGION = 'participants-region'
/** Makes the region focusable, so that the arrow keys scroll the table. */
const TAB_STOP = 0

type More = { isLoading: boolean; error: string | null; load: () => void }

/** Explains and deletes participants of the table; `focusTable` is called after a deletion. */
const useParticipantActions = (quizId: string, focusTable: () => void) => {
  const [explained, setExplained] = useState<Participant | null>(null)
  const dialogs = useDialogs()
  const queries = useQueryClient()

  const remove = async ({ participant_uuid, email }: Participant): Promise<void> => {
    const who = email ? `la participation de ${email}` : 'cette participation'
    const isAgreed = await dialogs.confirm(
      `Supprimer ${who} ? Ses réponses disparaîtront et les statistiques seront celles des autres participants. Cette action est définitive.`,
      { confirm_label: 'Supprimer', danger: true },
    )
    if (!isAgreed) return
    try {
      await client.participants.remove({ id: quizId, participantId: participant_uuid })
      await queries.invalidateQueries({ queryKey: ['quizzes', quizId] })
      focusTable()
    } catch (error) {
      await dialogs.alert(errorText(error))
    }
  }

  const actions: ParticipantActions = {
    onExplain: setExplained,
    onRemove: (participant) => void remove(participant),
  }
  return { explained, closeExplanation: () => setExplained(null), actions }
}

/** The participants loaded so far, and a button for more, if any. */
export const Participants = ({
  quizId,
  participants,
  count,
  more,
}: {
  quizId: string
  participants: readonly Participant[]
  /** The number of all participants; null while it is being counted. */
  count: number | null
  more: More | undefined
}) => {
  const { explained, closeExplanation, actions } = useParticipantActions(quizId, () =>
    document.getElementById(REGION)?.focus(),
  )
  return (
    <section aria-labelledby="participants" className="flex min-w-0 flex-col gap-4">
      <h2 id="participants" className="text-lg font-semibold">
        Réponses détaillées
      </h2>
      <section
        id={REGION}
        aria-label="Tableau des participants"
        tabIndex={TAB_STOP}
        className="max-h-[80dvh] overflow-auto scroll-pt-10 rounded-xl border border-line"
      >
        <ParticipantsTable participants={participants} actions={actions} />
      </section>
      <p role="status" className="text-center text-ink-2 tabular-nums empty:hidden">
        {more && formatShown(participants.length, count)}
      </p>
      {more && <LoadMore {...more} />}
      {explained && (
        <ExplanationDialog quizId={quizId} participant={explained} onClose={closeExplanation} />
      )}
    </section>
  )
}

const LoadMore = ({ isLoading, error, load }: More) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.getElementById(REGION))
  return (
    <div ref={ref} className="flex flex-col items-center gap-2">
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <Button busy={isLoading} onClick={load}>
        {labelOf({ isLoading, error })}
      </Button>
    </div>
  )
}

const labelOf = ({ isLoading, error }: Omit<More, 'load'>): string => {
  if (isLoading) return 'Chargement...'
  return error ? 'Réessayer' : 'Afficher plus de participants'
}
