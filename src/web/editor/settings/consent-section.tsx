import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { trimText } from '#domain/blank-text.ts'
import { DEFAULT_CONSENT_TEXT } from '#domain/consent.ts'
import type { Quiz } from '#domain/quiz.ts'
import { type ConsentMode, LIMITS } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { pageFieldId } from '#web/editor/publish-targets.ts'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { LeavingButton } from '#web/ui/leaving-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ConsentChoice, changeConsent } from './consent-dialog.tsx'

const CONSENT_DUTY =
  'Sans case à cocher, chaque participant qui donne son adresse sera transmis à vos outils. Vous devez pouvoir prouver qu’il a demandé à recevoir vos emails : par exemple parce que le questionnaire lui annonce clairement que ses réponses et son résultat lui seront envoyés. Retirer la case ?'

/** The consent that forwarding is based on; visitors see a change at once, without a publication. */
export const ConsentSection = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => {
  const id = useId()
  const textId = pageFieldId('consent_text')
  const { confirm } = useDialogs()
  // The typed text; null while the field shows that of the quiz.
  const [typed, setTyped] = useState<string | null>(null)
  const { consent_mode, consent_text } = quiz
  const { data: switches } = useQuery(quizSwitchesQuery(quiz.id))
  const choose = async (mode: ConsentMode): Promise<void> => {
    if (mode === 'requested' && !(await confirm(CONSENT_DUTY))) return
    changeConsent(session, { consent_mode: mode })
  }
  const type = (text: string): void => {
    setTyped(text)
    const wording = trimText(text)
    const own = wording === DEFAULT_CONSENT_TEXT ? null : wording || null
    changeConsent(session, { consent_text: own })
  }
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <h2 id={id} className="text-base font-semibold">
        Accord des participants
      </h2>
      {consent_mode === 'box' || switches?.has_been_enabled ? (
        <ConsentChoice mode={consent_mode} onChange={(mode) => void choose(mode)} />
      ) : (
        <p className="text-sm text-ink-2">
          Quand vous activerez un premier outil, vous choisirez comment vos participants donnent
          leur accord. Le résultat s’affiche dans tous les cas.
        </p>
      )}
      {consent_mode === 'box' && (
        <>
          <TextField
            multiline
            id={textId}
            label="Texte de la case"
            value={typed ?? consent_text ?? DEFAULT_CONSENT_TEXT}
            maxLength={LIMITS.consent_text}
            onChange={(event) => type(event.currentTarget.value)}
            onBlur={() => setTyped(null)}
          />
          {consent_text !== null && (
            <LeavingButton
              next_id={textId}
              className="self-start"
              onClick={() => {
                setTyped(null)
                changeConsent(session, { consent_text: null })
              }}
            >
              Reprendre le texte proposé
            </LeavingButton>
          )}
        </>
      )}
    </section>
  )
}
