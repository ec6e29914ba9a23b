import { useQuery } from '@tanstack/react-query'
import {
  consentGaps,
  consentTextFor,
  sentPartNames,
  sentParts,
} from '#domain/questionnaire/consent/consent-words.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { automationsQuery } from '#web/automations/automation-queries.ts'
import { mappingsQuery } from '#web/field-mappings/mapping-queries.ts'
import { DisappearingButton } from '#web/ui/button.tsx'

/** Warns if the text of the consent box differs from the data that tools receive, and offers a text that fits. */
export const ConsentGaps = ({
  draft,
  text,
  field_id,
  onReplace,
}: {
  draft: Draft
  text: string
  /** Field that receives the focus when the warning disappears. */
  field_id: string
  onReplace: (text: string) => void
}) => {
  const { id } = draft.quiz
  const { data: fields } = useQuery(mappingsQuery(id))
  const { data: rules } = useQuery(automationsQuery(id))
  const sends_replies =
    fields?.mappings.some(({ source }) => source === 'question') ||
    rules?.automations.some(({ answer_id }) => answer_id !== null)
  const parts = sentParts(draft, sends_replies === true)
  const { missing, has_false_result } = consentGaps(text, parts)
  const warnings = [
    ...(missing.length > 0
      ? [`Ce texte n’annonce pas « ${sentPartNames(missing)} », que vos outils reçoivent aussi.`]
      : []),
    ...(has_false_result ? ['Ce texte annonce un résultat, et un sondage n’en a pas.'] : []),
  ]
  return (
    <div role="status" className="text-sm">
      {warnings.length > 0 && (
        <div className="flex flex-col items-start gap-2 rounded-lg bg-warn-wash p-3 text-warn">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
          <DisappearingButton next_id={field_id} onClick={() => onReplace(consentTextFor(parts))}>
            Écrire un texte qui correspond
          </DisappearingButton>
        </div>
      )}
    </div>
  )
}
