import { useId } from 'react'
import { DEFAULT_MEASURE_TEXT } from '#domain/questionnaire/consent/consent.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { Switch } from '#web/ui/form/choice-controls.tsx'
import { changeConsent } from './change-consent.ts'
import { ConsentTextField } from './consent-text-field.tsx'

/** Renders the switch and the text of the second consent. A change applies at once, without a publication. */
export const MeasureSection = ({ session, draft }: { session: DraftSession; draft: Draft }) => {
  const { measure_consent, measure_text } = draft.quiz
  const hintId = useId()
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <Switch
        id={pageFieldId('measure_consent')}
        label="Demander l’accord pour la mesure"
        checked={measure_consent}
        aria-describedby={hintId}
        onChange={({ currentTarget }) =>
          changeConsent(session, { measure_consent: currentTarget.checked })
        }
      />
      <p id={hintId} className="text-sm text-ink-2">
        Une deuxième case, jamais cochée d’avance, apparaît sous la question email dès qu’un outil
        ou l’email de résultat est activé. Elle ne change rien à l’envoi : associez la réponse à un
        champ de votre outil pour qu’il en tienne compte.
      </p>
      {measure_consent && (
        <ConsentTextField
          name="measure_text"
          label="Texte de l’accord pour la mesure"
          stored={measure_text}
          defaultText={DEFAULT_MEASURE_TEXT}
          onChange={(text) => changeConsent(session, { measure_text: text })}
        />
      )}
    </div>
  )
}
