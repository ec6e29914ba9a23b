import { type FormEvent, useId, useState } from 'react'
import { CONSENT_MODES, type ConsentMode } from '#domain/vocabulary.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'

const MODES: Record<ConsentMode, { label: string; hint: string }> = {
  box: {
    label: 'Une case à cocher sous la question email (recommandé)',
    hint: 'Seuls ceux qui la cochent sont transmis. Le texte montré, sa version et la date sont conservés comme preuve.',
  },
  requested: {
    label: "Sans case : mon questionnaire annonce l'envoi",
    hint: 'Chaque participant qui donne son adresse est transmis. Vous devez pouvoir prouver qu’il a demandé à recevoir vos emails.',
  },
}

/**
 * Changes the consent that forwarding is based on, saved like any other edit of the quiz; an undo of something else
 * must not take it back unseen.
 */
export const changeConsent = (
  session: DraftSession,
  fields: { consent_mode?: ConsentMode; consent_text?: string | null },
): void =>
  session.changeEveryStep(
    (draft) => ({ ...draft, quiz: { ...draft.quiz, ...fields } }),
    SAVING.consent,
  )

/** The two kinds of consent to forwarding. */
export const ConsentChoice = ({
  mode,
  onChange,
}: {
  mode: ConsentMode
  onChange: (mode: ConsentMode) => void
}) => (
  <RadioGroup
    legend="Accord des participants"
    value={mode}
    options={CONSENT_MODES.map((value) => ({ value, ...MODES[value] }))}
    onChange={onChange}
  />
)

/** Asks for the kind of consent before the first tool of a quiz is switched on. */
export const ConsentDialog = ({
  label,
  onChoose,
  onClose,
}: {
  label: string
  onChoose: (mode: ConsentMode) => void
  onClose: () => void
}) => {
  const form = useId()
  const [mode, setMode] = useState<ConsentMode>('box')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onChoose(mode)
  }
  return (
    <Dialog
      title="Comment vos participants donnent-ils leur accord ?"
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Annuler</Button>
          <Button type="submit" form={form} variant="primary">
            {`Activer ${label}`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-2">
          {`${label} recevra l’adresse email et le résultat de vos participants. Vous pourrez changer d’avis dans cet onglet.`}
        </p>
        <ConsentChoice mode={mode} onChange={setMode} />
      </form>
    </Dialog>
  )
}
