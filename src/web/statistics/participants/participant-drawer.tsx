import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { DetailedParticipant } from '#contract/participants.ts'
import { fullNameOf } from '#domain/run/contact/full-name.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery } from '#web/api/queries.ts'
import { formatDate, formatNumber, formatShare } from '#web/statistics/format/format.ts'
import { isGone, participantQuery } from '#web/statistics/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useErasure } from './erasure-dialog.tsx'
import { useRecordErasure } from './erasure-record.tsx'
import { ParticipantDetail } from './participant-detail.tsx'

type Props = {
  quizId: string
  participantId: string
  /** Position in the list, and the length of the list if known; null if the participant is not in the list. */
  place: { rank: number; count: number | null } | null
  hasPrevious: boolean
  hasNext: boolean
  /** Opens the previous or next participant, if there is one. */
  onStep: (by: 1 | -1) => void
  isLoadingNext: boolean
  /** The reason why the next participant could not be loaded. */
  error: string | null
  onClose: () => void
}

const GONE = 'Ce participant n’existe plus : il a été supprimé, ou son adresse est fausse.'

/** Returns a function that deletes a participant after a confirmation, and reads the affected figures again. */
const useRemoval = (quizId: string, shownId: string, onRemoved: () => void) => {
  const dialogs = useDialogs()
  const queries = useQueryClient()
  const { ask, dialog } = useErasure()
  const record = useRecordErasure()
  const [isBusy, setBusy] = useState(false)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    shown.current = shownId
    return () => {
      shown.current = undefined
    }
  }, [shownId])
  const remove = async (participant: DetailedParticipant): Promise<void> => {
    const { participant_uuid, email, sent_to } = participant
    const person = email ?? fullNameOf(participant)
    const who = person ? `la participation de ${person}` : 'cette participation'
    const choices = await ask(
      `Supprimer ${who} ? Ses réponses disparaîtront et les statistiques seront celles des autres participants. Cette action est définitive.`,
      sent_to,
    )
    if (!choices) return
    setBusy(true)
    try {
      const at = { id: quizId, participantId: participant_uuid }
      await client.participants.remove({ ...at, ...choices })
    } catch (error) {
      return dialogs.alert(errorText(error))
    } finally {
      setBusy(false)
    }
    const known = queries.getQueryData(quizQuery(quizId).queryKey)
    record({
      erased_at: new Date().toISOString(),
      email,
      nb_deleted: 1,
      choices,
      quiz: { name: known?.quiz.name ?? '', answered_at: participant.created_at },
      nb_webhooks: sent_to.nb_webhooks,
    })
    // The drawer may be closed now, or show another participant.
    if (shown.current === participant_uuid) onRemoved()
    // The drawer still shows the participant until it is closed, but the server no longer has them.
    const erased = hashKey(participantQuery(quizId, participant_uuid).queryKey)
    await queries.invalidateQueries({
      queryKey: ['quizzes', quizId],
      predicate: ({ queryHash }) => queryHash !== erased,
    })
  }
  return { remove, isBusy, dialog }
}

/** Renders one participant next to the list: answers, result and deliveries. */
export const ParticipantDrawer = ({
  quizId,
  participantId,
  place,
  hasPrevious,
  hasNext,
  onStep,
  isLoadingNext,
  error: next_error,
  onClose,
}: Props) => {
  const { data, error } = useQuery(participantQuery(quizId, participantId))
  const { remove, isBusy, dialog } = useRemoval(quizId, participantId, onClose)
  const isMissing = isGone(error)
  const participant = isMissing ? undefined : data?.participant
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    if (altKey || ctrlKey || metaKey || shiftKey) return
    if (key === 'ArrowLeft') onStep(-1)
    if (key === 'ArrowRight' && !isLoadingNext) onStep(1)
  }
  return (
    <>
      {dialog}
      <Dialog
        title={titleOf(participant)}
        open
        isDrawer
        onClose={onClose}
        onKeyDown={onKeyDown}
        footer={
          participant && (
            <Button variant="ghost" busy={isBusy} onClick={() => void remove(participant)}>
              Supprimer ce participant
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center gap-2">
            {/* A lone participant needs no steps, and each button is a stop of the Tab key. */}
            {(hasPrevious || hasNext || isLoadingNext) && (
              <>
                <Button
                  icon={<ChevronLeft aria-hidden="true" />}
                  aria-disabled={!hasPrevious}
                  onClick={() => onStep(-1)}
                  className="aria-disabled:text-ink-3"
                >
                  Précédent
                </Button>
                <Button
                  icon={<ChevronRight aria-hidden="true" />}
                  aria-disabled={!hasNext}
                  busy={isLoadingNext}
                  onClick={() => onStep(1)}
                  className="aria-disabled:text-ink-3"
                >
                  Suivant
                </Button>
              </>
            )}
            <p role="status" className="text-ink-2 tabular-nums">
              {place && placeText(place)}
            </p>
          </div>
          {next_error && (
            <p role="alert" className="text-bad">
              {next_error}
            </p>
          )}
          {isMissing && <p role="alert">{GONE}</p>}
          {error && !isMissing && (
            <p role="alert" className="text-bad">
              {errorText(error)}
            </p>
          )}
          {!data && !error && <Loading text="Chargement..." />}
          {data && participant && (
            <ParticipantDetail
              quizId={quizId}
              participant={participant}
              explanation={data.explanation}
            />
          )}
        </div>
      </Dialog>
    </>
  )
}

const titleOf = (participant: DetailedParticipant | undefined): string => {
  if (!participant) return 'Participant'
  return (
    fullNameOf(participant) ??
    participant.email ??
    `Participant du ${formatDate(participant.created_at)}`
  )
}

const placeText = ({ rank, count }: NonNullable<Props['place']>): string =>
  `Participant ${count === null ? formatNumber(rank) : formatShare(rank, count)}`
