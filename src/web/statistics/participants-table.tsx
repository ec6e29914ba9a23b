import type { Participant } from '#contract/statistics.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { distinctKeys } from './distinct-keys.ts'
import { formatDate, formatDuration, MISSING, NO_REPLY } from './format.ts'

const HEAD = 'sticky top-0 bg-wash px-3 py-2 text-left font-medium text-ink-2'
const CELL = 'border-t border-line px-3 py-2 align-top wrap-anywhere'

/** The actions on one participant. */
export type ParticipantActions = {
  onExplain: (participant: Participant) => void
  onRemove: (participant: Participant) => void
}

/** The participants of the quiz, newest first (spec §2 « Réponses détaillées »). */
export const ParticipantsTable = ({
  participants,
  actions,
}: {
  participants: readonly Participant[]
  actions: ParticipantActions
}) => (
  <table className="w-full min-w-2xl border-separate border-spacing-0 text-sm">
    <caption className="sr-only">Participants, du plus récent au plus ancien</caption>
    <thead>
      <tr>
        {['Date', 'Email', 'Résultat', 'Réponses'].map((title) => (
          <th key={title} scope="col" className={HEAD}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {participants.map((participant) => (
        <tr key={participant.participant_uuid}>
          <td className={`${CELL} whitespace-nowrap tabular-nums`}>
            {formatDate(participant.created_at)}
            {participant.is_suspect && (
              <p className="mt-1">
                <Badge tone="warn">À vérifier</Badge>
              </p>
            )}
          </td>
          <td className={`${CELL} min-w-48`}>{participant.email ?? MISSING}</td>
          <td className={`${CELL} min-w-32`}>
            {participant.final_result_name === null ? (
              MISSING
            ) : (
              <Badge tone="info">{participant.final_result_name}</Badge>
            )}
          </td>
          <td className={`${CELL} w-2/5`}>
            <Answers participant={participant} actions={actions} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Answers = ({
  participant,
  actions: { onExplain, onRemove },
}: {
  participant: Participant
  actions: ParticipantActions
}) => {
  const { answers, final_result_name, elapsed_seconds, is_suspect } = participant
  const keys = distinctKeys(answers.map(({ question_text }) => question_text))
  return (
    <details>
      <summary className="min-h-6 text-brand">
        Voir les réponses ({answers.filter(({ answer_text }) => answer_text !== '').length})
      </summary>
      <dl className="mt-2 flex flex-col gap-2">
        {answers.map(({ question_text, answer_text }, index) => (
          <div key={keys[index]}>
            <dt className="text-ink-2 wrap-anywhere">{question_text}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{answer_text || NO_REPLY}</dd>
          </div>
        ))}
      </dl>
      {elapsed_seconds !== null && (
        <p className="mt-2 text-ink-2">Rempli en {formatDuration(elapsed_seconds)}</p>
      )}
      {is_suspect && (
        <p className="mt-2">
          À vérifier : un champ invisible a été rempli, ou les réponses sont venues plus vite qu’on
          ne lit. Un programme a peut-être répondu. Ce participant compte comme les autres.
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {final_result_name !== null && (
          <Button onClick={() => onExplain(participant)}>Pourquoi ce résultat ?</Button>
        )}
        <Button variant="ghost" onClick={() => onRemove(participant)}>
          Supprimer ce participant
        </Button>
      </div>
    </details>
  )
}
