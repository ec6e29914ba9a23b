import { useId, useState } from 'react'
import type { CorrectionMoment } from '#domain/common/vocabulary.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import {
  countCorrectedQuestions,
  countTypedScores,
  rightAnswerPoints,
  setRightAnswerPoints,
} from '#domain/questionnaire/right-scores.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { AUTOSAVE_KINDS, type ChangePage } from '#web/editor/draft/use-draft.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readInteger } from '#web/editor/fields/parse-numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'

const MOMENTS: { value: CorrectionMoment; label: string; hint?: string }[] = [
  { value: 'never', label: 'Jamais' },
  {
    value: 'page',
    label: 'Après chaque page',
    hint: 'La page reste affichée avec sa correction ; ses réponses ne peuvent plus changer.',
  },
  { value: 'end', label: 'À la fin', hint: 'La liste des corrections suit le résultat.' },
]

/** Edits when visitors see the right answers, and how many points each right answer gives. */
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
  const nb_typed = countTypedScores(draft)
  // Used while no question has the points of a right answer.
  const [wished, setWished] = useState<number | null>(null)
  const points = nb_typed === nb_corrected ? (wished ?? 1) : rightAnswerPoints(draft)
  const setPoints = (typed: string): void => {
    const read = readInteger(typed)
    if (read === null || read < 1) return
    setWished(read)
    session.change((before) => setRightAnswerPoints(before, read), {
      undoGroupKey: 'right_answer_points',
      ...AUTOSAVE_KINDS.questions,
    })
  }
  const replaceTyped = (): void => {
    session.change((before) => setRightAnswerPoints(before, points, { replaces_typed: true }), {
      undoGroupKey: null,
      ...AUTOSAVE_KINDS.questions,
    })
    announce(`${pointsText(points)} par bonne réponse`)
  }
  return (
    <section
      aria-labelledby={heading_id}
      className="flex flex-col gap-4 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-col gap-1">
        <div className="flex items-center justify-between gap-2">
          <h2 id={heading_id} className="text-base font-semibold">
            {PAGE_FIELDS.shows_corrections.label}
          </h2>
          <HelpLink about="corrections" page="bonnes-reponses" />
        </div>
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
      {nb_corrected > 0 && !isProfile && (
        <div className="flex flex-col gap-2">
          <div className="w-44">
            <NumberField
              label="Points par bonne réponse"
              min={1}
              value={points}
              onType={setPoints}
            />
          </div>
          {nb_typed > 0 && (
            <>
              <p className="text-sm text-ink-2">
                {nb_typed === 1
                  ? '1 question a d’autres scores, que vous avez saisis.'
                  : `${nb_typed} questions ont d’autres scores, que vous avez saisis.`}
              </p>
              <Button className="self-start" onClick={replaceTyped}>
                {`${pointsText(points)} par bonne réponse, partout`}
              </Button>
            </>
          )}
        </div>
      )}
      {nb_corrected > 0 && isProfile && (
        <p className="text-sm text-ink-2">
          Ce quiz calcule ses résultats par profils : réinitialisez le mode de calcul pour compter
          des points.
        </p>
      )}
    </section>
  )
}

export default CorrectionsCard

const pointsText = (points: number): string => `${points} point${points > 1 ? 's' : ''}`
