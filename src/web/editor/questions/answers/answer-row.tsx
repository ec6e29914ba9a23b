import { Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, Suspense, useState } from 'react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { imageAddress } from '#domain/questionnaire/images.ts'
import type { Answer, Result } from '#domain/questionnaire/quiz.ts'
import { fieldId, imageAltId, jumpId, scoreId } from '#web/editor/fields/field-ids.ts'
import { useOpenedRef } from '#web/editor/fields/focus.ts'
import { pasteList } from '#web/editor/fields/list-editing.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readScore } from '#web/editor/fields/parse-numbers.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { handleAddMenuKey } from '#web/editor/questions/draft/use-item-actions.ts'
import { IconButton } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { ImageField } from '#web/ui/images/image-field.tsx'
import { ResultPills } from './result-pills.tsx'

const JumpField = lazyPart(
  () => import('./jump-field.tsx'),
  'Le champ « Aller à » n’a pas pu être chargé.',
)

/** Fields of an answer in the current calculation mode (product 4.3). */
export type AnswerFields = {
  hasScores: boolean
  hasAssociations: boolean
  results: readonly Result[]
}

/** Actions on an answer, by its index in the question. */
export type AnswerActions = {
  enter: (index: number) => void
  /** Focuses the score of the next answer, or goes to the next question. */
  enterScore: (index: number) => void
  paste: (index: number, lines: string[]) => void
  /** Removes an answer. Asks for confirmation, except when Backspace removes an empty answer. */
  remove: (index: number, options: { isByBackspace: boolean }) => void
  /** Opens the menu that adds an item after the question, next to this field. The item replaces the empty answer. */
  addAfter: (index: number, field: HTMLElement) => void
}

type AnswerRowProps = {
  answer: Answer
  /** Number from 1. */
  rank: number
  questionNumber: number
  answerFields: AnswerFields
  hasPicture: boolean
  /** Page of the question if its answers show the field « Aller à »; otherwise undefined. */
  jumpFieldPage: number | undefined
  change: ChangeQuestions
  actions: AnswerActions
}

/** Shows one answer of a multiple-choice question with its text, its score and its associated results. */
export const AnswerRow = memo(function AnswerRow({
  answer,
  rank,
  questionNumber,
  answerFields: { hasScores, hasAssociations, results },
  hasPicture,
  jumpFieldPage,
  change,
  actions,
}: AnswerRowProps) {
  const index = rank - 1
  // On a phone, a picture is a thumbnail that opens its field, so that each answer has one line.
  const [isPictureOpen, setPictureOpen] = useState(false)
  const picture = useOpenedRef(setPictureOpen)
  const isFolded = answer.image_id !== null && !isPictureOpen
  const path = { question_id: answer.question_id, answer_id: answer.id }
  const label = `Réponse ${rank} de la question ${questionNumber}`
  const name = trimText(answer.text) || label

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      actions.enter(index)
    } else if (event.key === 'Backspace' && answer.text === '' && rank > 1) {
      event.preventDefault()
      actions.remove(index, { isByBackspace: true })
    } else if (handleAddMenuKey(event)) actions.addAfter(index, event.currentTarget)
  }

  return (
    <li className="flex flex-wrap items-center gap-2">
      {/* With a score, the text fills a line on phones. Without one, the delete button stays next to the
          text. */}
      <div
        className={`flex min-w-0 items-center gap-2 ${hasScores ? 'w-full sm:w-auto sm:flex-1' : 'flex-1'}`}
      >
        <span
          aria-hidden="true"
          className="size-4 shrink-0 rounded-full border border-field max-sm:hidden"
        />
        {answer.image_id && (
          <button
            type="button"
            aria-label={`Image de la réponse ${rank} de la question ${questionNumber}`}
            aria-expanded={!isFolded}
            onClick={() => setPictureOpen(isFolded)}
            className="size-11 shrink-0 overflow-hidden rounded-md border border-field sm:hidden"
          >
            <img
              src={imageAddress(answer.image_id, 400)}
              alt=""
              className="size-full object-cover"
            />
          </button>
        )}
        <div className="min-w-0 flex-1">
          <TextField
            multiline
            id={fieldId(answer.id)}
            label={label}
            hideLabel
            placeholder={`Réponse ${rank}`}
            rows={1}
            enterKeyHint="next"
            value={answer.text}
            maxLength={LIMITS.answer_text}
            autoComplete="off"
            onChange={(event) =>
              change({
                type: 'answer_written',
                ...path,
                text: onOneLine(event.currentTarget.value),
              })
            }
            onKeyDown={onKeyDown}
            onPaste={(event) => pasteList(event, (lines) => actions.paste(index, lines))}
          />
        </div>
      </div>
      {hasScores && (
        <div className="w-32 shrink-0">
          <NumberField
            id={scoreId(answer.id)}
            label={`Score – ${name}`}
            hideLabel
            caption="Score"
            value={answer.score}
            onType={(typed) => change({ type: 'answer_scored', ...path, score: readScore(typed) })}
            onEnter={() => actions.enterScore(index)}
          />
        </div>
      )}
      <IconButton
        label={`Supprimer la réponse ${rank} de la question ${questionNumber}`}
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => actions.remove(index, { isByBackspace: false })}
        className="max-sm:ml-auto"
      />
      {jumpFieldPage !== undefined && (
        <div className="w-full sm:pl-6">
          <Suspense fallback={<div data-loading={jumpId(answer.id)} className="h-10" />}>
            <JumpField answer={answer} name={name} page_number={jumpFieldPage} change={change} />
          </Suspense>
        </div>
      )}
      {hasPicture && (
        <div
          ref={picture}
          data-folded={isFolded || undefined}
          className="w-full max-sm:data-folded:hidden sm:pl-6"
        >
          <ImageField
            label={`Image – ${name}`}
            image_id={answer.image_id}
            image_alt={answer.image_alt}
            alt_id={imageAltId(answer.id)}
            is_described_by_text
            onChange={(picture) => {
              setPictureOpen(true)
              change({ type: 'answer_image_set', ...path, ...picture })
            }}
          />
        </div>
      )}
      {hasAssociations && results.length > 0 && (
        <div className="w-full sm:pl-6">
          <ResultPills answer={answer} name={name} results={results} change={change} />
        </div>
      )}
    </li>
  )
})

/** Returns the text on one line, because pasted or dropped text may contain line breaks. */
const onOneLine = (text: string): string =>
  text.replace(/[\r\n]+/g, (run, start: number) => (start + run.length === text.length ? '' : ' '))
