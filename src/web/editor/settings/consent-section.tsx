import { useId, useState } from 'react'
import { type ConsentMode, DEFAULT_CONSENT_TEXT } from '#domain/consent.ts'
import type { Quiz } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { QUIZ_DELAY_MS } from '#web/editor/draft/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { TextField } from '#web/ui/text-field.tsx'

const DUTY =
  'Sans case à cocher, chaque participant qui donne son adresse sera transmis à vos outils. Vous devez pouvoir prouver qu’il a demandé à recevoir vos emails : par exemple parce que le questionnaire lui annonce clairement que ses réponses et son résultat lui seront envoyés. Activer « Service demandé » ?'

/** By whose leave participants are forwarded; visitors see a change at once, without a publication. */
export const ConsentSection = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => {
  const id = useId()
  const { confirm } = useDialogs()
  // What is being typed; null while the field shows what the quiz has.
  const [typed, setTyped] = useState<string | null>(null)
  const { consent_mode, consent_text } = quiz
  const change = (
    fields: { consent_mode?: ConsentMode; consent_text?: string | null },
    burst: string | null,
  ): void =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, ...fields } }), {
      burst,
      delay_ms: QUIZ_DELAY_MS,
    })
  const choose = async (isRequested: boolean): Promise<void> => {
    if (isRequested && !(await confirm(DUTY))) return
    change({ consent_mode: isRequested ? 'requested' : 'box' }, null)
  }
  const type = (text: string): void => {
    setTyped(text)
    const wording = text.trim()
    change({ consent_text: wording === DEFAULT_CONSENT_TEXT ? null : wording || null }, 'consent')
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <h2 id={id} className="text-base font-semibold">
        Accord des participants
      </h2>
      <p className="text-sm text-ink-2">
        Dès qu’un outil est activé, une case à cocher apparaît sous la question email. Seuls ceux
        qui la cochent sont transmis ; le résultat s’affiche dans tous les cas. Le texte montré, sa
        version et la date sont conservés comme preuve.
      </p>
      <Checkbox
        label="Service demandé : transmettre sans case à cocher"
        checked={consent_mode === 'requested'}
        onChange={(event) => void choose(event.currentTarget.checked)}
      />
      {consent_mode === 'box' && (
        <>
          <TextField
            multiline
            label="Texte de la case"
            value={typed ?? consent_text ?? DEFAULT_CONSENT_TEXT}
            maxLength={LIMITS.consent_text}
            onChange={(event) => type(event.currentTarget.value)}
            onBlur={() => setTyped(null)}
          />
          {consent_text !== null && (
            <Button
              className="self-start"
              onClick={() => {
                setTyped(null)
                change({ consent_text: null }, null)
              }}
            >
              Reprendre le texte proposé
            </Button>
          )}
        </>
      )}
    </section>
  )
}
