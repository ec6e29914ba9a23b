import { Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo } from 'react'
import type { Answer, Result } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { pastedLines } from '#web/editor/pasted-lines.ts'
import { associationId, scoreId } from '#web/editor/publish-targets.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { isAssociated, MATRIX_COLUMNS } from './association-heads.tsx'
import { readScore } from './new-items.ts'
import { NumberField } from './number-field.tsx'
import { fieldId } from './question-words.ts'
import type { ChangeQuestions } from './use-questions.ts'

/** Which fields an answer has in the current mode (spec §2 « Questions screen »). */
export type Scoring = { hasScores: boolean; hasAssociations: boolean; results: readonly Result[] }

/** The actions of an answer beside its fields, by its index in the question. */
export type AnswerActions = {
  enter: (index: number) => void
  /** Focuses the score of the next answer, if there is one. */
  enterScore: (index: number) => void
  paste: (index: number, lines: string[]) => void
  /** A blank answer is removed without a confirmation. */
  remove: (index: number, options: { isBlank: boolean }) => void
}

type AnswerRowProps = {
  answer: Answer
  /** From 1. */
  rank: number
  questionNumber: number
  scoring: Scoring
  change: ChangeQuestions
  actions: AnswerActions
}

/** One answer of a multiple-choice question: its text, its score, the results it counts for. */
export const AnswerRow = memo(function AnswerRow({
  answer,
  rank,
  questionNumber,
  scoring: { hasScores, hasAssociations, results },
  change,
  actions,
}: AnswerRowProps) {
  const index = rank - 1
  const path = { question_id: answer.question_id, answer_id: answer.id }
  const label = `Réponse ${rank} de la question ${questionNumber}`
  const name = answer.text.trim() || label
  const isMatrix = hasAssociations && results.length <= MATRIX_COLUMNS

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      actions.enter(index)
    } else if (event.key === 'Backspace' && answer.text === '' && rank > 1) {
      event.preventDefault()
      actions.remove(index, { isBlank: true })
    }
  }

  return (
    <li className={`flex flex-col gap-1 ${isMatrix ? 'match-row' : ''}`}>
      <div className="flex min-w-0 flex-1 items-center gap-2">
        <span aria-hidden="true" className="size-4 shrink-0 rounded-full border border-field" />
        <div className="min-w-0 flex-1">
          <TextField
            id={fieldId(answer.id)}
            label={label}
            hideLabel
            placeholder={`Réponse ${rank}`}
            value={answer.text}
            maxLength={LIMITS.answer_text}
            autoComplete="off"
            onChange={(event) =>
              change({ type: 'answer_written', ...path, text: event.currentTarget.value })
            }
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const lines = pastedLines(event.clipboardData.getData('text'))
              if (!lines) return
              event.preventDefault()
              actions.paste(index, lines)
            }}
          />
        </div>
        {hasScores && (
          <div className="w-24 shrink-0">
            <NumberField
              id={scoreId(answer.id)}
              label={`Score – ${name}`}
              hideLabel
              placeholder="Score"
              value={answer.score}
              onType={(typed) =>
                change({ type: 'answer_scored', ...path, score: readScore(typed) })
              }
              onEnter={() => actions.enterScore(index)}
            />
          </div>
        )}
        <IconButton
          label={`Supprimer la réponse ${rank} de la question ${questionNumber}`}
          icon={<Trash2 aria-hidden="true" />}
          onClick={() => actions.remove(index, { isBlank: false })}
        />
      </div>
      {hasAssociations && results.length > 0 && (
        <fieldset className="match-cells ml-6 flex flex-wrap gap-x-4">
          <legend className="sr-only">{`Résultats associés à ${name}`}</legend>
          {results.map((result, place) => (
            <Checkbox
              key={result.id}
              id={place === 0 ? associationId(answer.id) : undefined}
              label={result.name}
              checked={isAssociated(answer, result.id)}
              onChange={(event) =>
                change({
                  type: 'answer_associated',
                  ...path,
                  result_id: result.id,
                  is_checked: event.currentTarget.checked,
                })
              }
            />
          ))}
        </fieldset>
      )}
    </li>
  )
})
