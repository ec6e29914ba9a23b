import { Check } from 'lucide-react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { ANSWER_FIELDS, OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Question, QuestionOptions } from '#domain/questionnaire/quiz.ts'
import { markAnswer } from '#domain/questionnaire/right-scores.ts'
import { optionId } from '#web/editor/fields/field-ids.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Checkbox, Switch } from '#web/ui/form/choice-controls.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'

/** Edits which answers of a choice are right, the explanation that follows them, and « Tout ou rien ». */
export const RightAnswersFields = ({
  question,
  hasScores,
  change,
  set,
}: {
  question: Question
  /** True if a mark gives points. */
  hasScores: boolean
  change: ChangeQuestions
  set: (options: Partial<QuestionOptions>) => void
}) => {
  const { id, answers, explanation, all_or_nothing, max_choices } = question
  const isAnyRight = answers.some(({ is_correct }) => is_correct)
  return (
    <>
      <fieldset id={optionId(id, 'is_correct')} tabIndex={-1} className="flex min-w-0 flex-col">
        <legend className="text-sm font-medium">Bonnes réponses</legend>
        {answers.map((answer, index) => (
          <span key={answer.id} className="flex items-center gap-2">
            <Checkbox
              label={trimText(answer.text) || `Réponse ${index + 1}`}
              checked={answer.is_correct}
              onChange={({ currentTarget: { checked } }) =>
                change({
                  type: 'content_edited',
                  edit: (content) =>
                    markAnswer(content, {
                      question_id: id,
                      answer_id: answer.id,
                      is_correct: checked,
                      has_scores: hasScores,
                    }),
                })
              }
            />
            {answer.is_correct && (
              <span className="inline-flex items-center gap-1 text-sm text-ok" aria-hidden="true">
                <Check className="size-4" />
                {ANSWER_FIELDS.is_correct.label}
              </span>
            )}
          </span>
        ))}
        {hasScores && (
          <p className="text-xs text-ink-2">
            Une bonne réponse donne ses points, les autres 0, dans la colonne « Score » ; un score
            que vous avez saisi reste.
          </p>
        )}
      </fieldset>
      {(max_choices !== 1 || all_or_nothing) && (isAnyRight || all_or_nothing) && (
        <div>
          <Switch
            label={OPTION_FIELDS.all_or_nothing.label}
            checked={all_or_nothing}
            onChange={({ currentTarget: { checked } }) => set({ all_or_nothing: checked })}
          />
          <p className="text-sm text-ink-2">
            Les points ne comptent que si toutes les bonnes réponses, et elles seules, sont
            choisies.
          </p>
        </div>
      )}
      {(isAnyRight || explanation !== null) && (
        <RichTextField
          id={optionId(id, 'explanation')}
          label={OPTION_FIELDS.explanation.label}
          placeholder="Ce qui explique la bonne réponse, montré avec la correction"
          rows={1}
          item_id={id}
          value={explanation ?? ''}
          maxLength={LIMITS.explanation}
          onChange={({ currentTarget: { value } }) =>
            set({ explanation: value === '' ? null : value })
          }
        />
      )}
    </>
  )
}
