import { useId } from 'react'
import { formatNumber } from '#web/statistics/format.ts'
import type { Participants } from './use-participants.ts'

/** How visitors are supposed to reply: at random or, once there are enough participants, as these do. */
export const SupposedReplies = ({
  participants: { nb_participants, isChosen, choose, hasFailed },
}: {
  participants: Participants
}) => {
  const name = useId()
  if (nb_participants === null)
    return <p className="text-xs text-ink-2">Si chaque réponse est choisie au hasard :</p>
  const ways = [
    { label: 'au hasard', isOfParticipants: false },
    {
      label: `comme vos ${formatNumber(nb_participants)} participants répondent`,
      isOfParticipants: true,
    },
  ]
  return (
    <fieldset className="flex flex-wrap gap-x-4 text-sm">
      <legend className="sr-only">Réponses supposées</legend>
      {ways.map(({ label, isOfParticipants }) => (
        <label
          key={label}
          className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            checked={isChosen === isOfParticipants}
            onChange={() => choose(isOfParticipants)}
            className="accent-brand"
          />
          {label}
        </label>
      ))}
      {hasFailed && (
        <p role="alert" className="text-bad">
          Les réponses de vos participants n’ont pas pu être lues.
        </p>
      )}
    </fieldset>
  )
}
