import { useId } from 'react'
import type { CorrectionMoment } from '#domain/common/vocabulary.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { countCorrectedQuestions, fillRightScores } from '#domain/questionnaire/right-scores.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { AUTOSAVE_KINDS, type ChangePage } from '#web/editor/draft/use-draft.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'

const MOMENTS: { value: CorrectionMoment; label: string; hint?: string }[] = [
  { value: 'never', label: 'Jamais' },
  {
    value: 'page',
    label: 'Après chaque page',
    hint: 'La page reste affichée avec sa correction ; ses réponses ne peuvent plus changer.',
  },
  { value: 'end', label: 'À la fin', hint: 'La liste des corrections suit le résultat.' },
]

/** Edits when visitors see the right answers, and gives one point for each right answer. */
const CorrectionsCard = ({
  draft,
  session,
  changePage,
  announce,
}: {
  draft: EditorDraft
  session: DraftSession
  changePage: ChangePage
  /** Shows a toast that offers to undo. */
  announce: (text: string) => void
}) => {
  const heading_id = useId()
  const { quiz, quiz_mode } = draft
  const nb_corrected = countCorrectedQuestions(draft)
  const isProfile = quiz_mode === 'profils'
  const fill = (): void => {
    session.change(fillRightScores, { undoGroupKey: null, ...AUTOSAVE_KINDS.questions })
    announce('1 point par bonne réponse')
  }
  return (
    <section
      aria-labelledby={heading_id}
      className="flex flex-col gap-4 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-col gap-1">
        <h2 id={heading_id} className="text-base font-semibold">
          {PAGE_FIELDS.shows_corrections.label}
        </h2>
        <p className="text-sm text-ink-2">
          {nb_corrected === 0
            ? 'Cochez les bonnes réponses dans les options de vos questions à choix, avec une explication si vous le souhaitez.'
            : `${nb_corrected} question${nb_corrected > 1 ? 's ont' : ' a'} une bonne réponse.`}
        </p>
      </div>
      <RadioGroup
        id={pageFieldId('shows_corrections')}
        legend={PAGE_FIELDS.shows_corrections.label}
        value={quiz.shows_corrections}
        options={MOMENTS}
        onChange={(shows_corrections) => changePage({ shows_corrections })}
      />
      {quiz.shows_corrections !== 'never' && (
        <p className="text-sm text-ink-2">
          Les bonnes réponses sont dans la page : un visiteur averti peut les lire avant de
          répondre. Ce n’est donc pas un examen.
        </p>
      )}
      {nb_corrected > 0 && (
        <div className="flex flex-col gap-1">
          <Button className="self-start" disabled={isProfile} onClick={fill}>
            1 point par bonne réponse
          </Button>
          <p className="text-sm text-ink-2">
            {isProfile
              ? 'Ce quiz calcule ses résultats par profils : réinitialisez le mode de calcul pour compter des points.'
              : 'Remplace les scores de ces questions : 1 pour chaque bonne réponse, 0 pour les autres.'}
          </p>
        </div>
      )}
    </section>
  )
}

export default CorrectionsCard
