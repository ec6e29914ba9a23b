import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Participant } from '#contract/statistics.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import type { ParticipantActions } from './participants-table.tsx'

/** Explains and deletes participants of the table; `focusTable` is called after a deletion. */
export const useParticipantActions = (quizId: string, focusTable: () => void) => {
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
      await dialogs.alert(error instanceof Error ? errorText(error) : 'Erreur inconnue')
    }
  }

  const actions: ParticipantActions = {
    onExplain: setExplained,
    onRemove: (participant) => void remove(participant),
  }
  return { explained, closeExplanation: () => setExplained(null), actions }
}
