import { useQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useId, useState } from 'react'
import { CONSENT_MODES, type ConsentMode } from '#domain/common/vocabulary.ts'
import { DEFAULT_CONSENT_TEXTS } from '#domain/questionnaire/consent/consent.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { focusOnceRendered } from '#web/editor/fields/focus.ts'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { changeConsent } from './change-consent.ts'
import { ConsentGaps } from './consent-gaps.tsx'
import { ConsentTextField } from './consent-text-field.tsx'

const ConsentOptions = lazyPart(
  () => import('./consent-options.tsx'),
  'La mesure et la confirmation de l’adresse n’ont pas pu être chargées.',
)

const CONSENT_DUTY =
  'Sans case à cocher, chaque participant qui donne son adresse sera envoyé à vos outils. Vous devez pouvoir prouver qu’il a demandé à recevoir vos emails : par exemple parce que le questionnaire lui annonce clairement que ses réponses et son résultat lui seront envoyés. Retirer la case ?'

/** Edits the consents of participants. Visitors see a change at once, without a publication. */
export const ConsentSection = ({ session, draft }: { session: DraftSession; draft: Draft }) => {
  const { quiz } = draft
  const id = useId()
  const textId = pageFieldId('consent_text')
  const { confirm } = useDialogs()
  const { consent_mode } = quiz
  const defaultText = DEFAULT_CONSENT_TEXTS[quiz.type]
  const { data: switches } = useQuery(quizSwitchesQuery(quiz.id))
  const choose = async (mode: ConsentMode): Promise<void> => {
    if (mode === 'requested' && !(await confirm(CONSENT_DUTY))) return
    changeConsent(session, { consent_mode: mode })
  }
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id={id} className="text-base font-semibold">
          Accord des participants (consentement, RGPD)
        </h2>
        <HelpLink about="accord des participants" page="consentement" />
      </div>
      {consent_mode === 'box' || switches?.has_been_enabled ? (
        <ConsentChoice mode={consent_mode} onChange={(mode) => void choose(mode)} />
      ) : (
        <>
          <p className="text-sm text-ink-2">
            Rien n’est envoyé tant qu’aucun outil n’est activé. Quand vous en activerez un, vous
            choisirez comment vos participants donnent leur accord. Le résultat s’affiche dans tous
            les cas.
          </p>
          <Button
            id={pageFieldId('consent_mode')}
            className="self-start"
            onClick={() => {
              void choose('box')
              focusOnceRendered([textId])
            }}
          >
            Préparer la case à cocher
          </Button>
        </>
      )}
      {consent_mode === 'box' && (
        <>
          {switches && !switches.has_been_enabled && (
            <p className="text-sm text-ink-2">
              La case apparaît sous la question email dès qu’un outil est activé ci-dessus.
            </p>
          )}
          <ConsentTextField
            name="consent_text"
            label="Texte de la case"
            stored={quiz.consent_text}
            defaultText={defaultText}
            onChange={(consent_text) => changeConsent(session, { consent_text })}
          >
            {(text, onReplace) => (
              <ConsentGaps draft={draft} text={text} field_id={textId} onReplace={onReplace} />
            )}
          </ConsentTextField>
        </>
      )}
      <Suspense fallback={<Loading text="Chargement..." />}>
        <ConsentOptions session={session} draft={draft} />
      </Suspense>
    </section>
  )
}

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

/** Lets the creator choose the kind of consent to forwarding. */
const ConsentChoice = ({
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

const MODES: Record<ConsentMode, { label: string; hint: string }> = {
  box: {
    label: 'Une case à cocher sous la question email (recommandé)',
    hint: 'Seuls ceux qui la cochent sont envoyés à vos outils. Le texte montré, sa version et la date sont conservés comme preuve.',
  },
  requested: {
    label: "Sans case : mon questionnaire annonce l'envoi",
    hint: 'Chaque participant qui donne son adresse est envoyé à vos outils. Vous devez pouvoir prouver qu’il a demandé à recevoir vos emails.',
  },
}
