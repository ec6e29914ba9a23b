import type { Participant } from '#contract/statistics.ts'
import { Badge } from '#web/ui/badge.tsx'
import { distinctKeys } from './distinct-keys.ts'
import { formatDate, MISSING } from './format.ts'

const HEAD = 'sticky top-0 bg-wash px-3 py-2 text-left font-medium text-ink-2'
const CELL = 'border-t border-line px-3 py-2 align-top wrap-anywhere'

/** Who took the quiz, newest first (spec §2 « Réponses détaillées »). */
export const ParticipantsTable = ({ participants }: { participants: readonly Participant[] }) => (
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
            <Answers answers={participant.answers} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Answers = ({ answers }: Pick<Participant, 'answers'>) => {
  const keys = distinctKeys(answers.map(({ question_text }) => question_text))
  return (
    <details>
      <summary className="min-h-6 text-brand">Voir les réponses ({answers.length})</summary>
      <dl className="mt-2 flex flex-col gap-2">
        {answers.map(({ question_text, answer_text }, index) => (
          <div key={keys[index]}>
            <dt className="text-ink-2 wrap-anywhere">{question_text}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{answer_text}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
