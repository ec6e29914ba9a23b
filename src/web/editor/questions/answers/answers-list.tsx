import { Plus } from 'lucide-react'
import { memo, useMemo } from 'react'
import { fitItems } from '#domain/common/pasted-lines.ts'
import { isBlankText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Answer } from '#domain/questionnaire/quiz.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { fieldId, scoreId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { pasteLossMessage } from '#web/editor/fields/list-editing.ts'
import { createAnswer } from '#web/editor/questions/draft/new-items.ts'
import { YES_OR_NO } from '#web/editor/questions/draft/presets.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import type { ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useLatest } from '#web/ui/use-latest.ts'
import { type AnswerActions, type AnswerFields, AnswerRow } from './answer-row.tsx'
import { ResultPillsOfAll } from './result-pills.tsx'

const FULL = `Une question a ${LIMITS.answers_per_question} réponses au plus`

/** Props of `AnswersList` and of its virtualised variant. */
export type AnswersListProps = {
  question_id: string
  answers: readonly Answer[]
  /** Number from 1. */
  number: number
  answerFields: AnswerFields
  /** True if each answer shows its picture field. */
  hasPictures: boolean
  /** Page of the question if its answers show the field « Aller à »; otherwise undefined. */
  jumpFieldPage: number | undefined
  change: ChangeQuestions
  actions: ItemActions
}

/**
 * Shows the answers of a multiple-choice question. Enter moves to the next answer, or adds one after the
 * last.
 */
export const AnswersList = memo(function AnswersList({
  question_id,
  answers,
  number,
  answerFields,
  hasPictures,
  jumpFieldPage,
  change,
  actions: itemActions,
}: AnswersListProps) {
  const { alert, confirm } = useDialogs()
  const { hasAssociations, results } = answerFields
  const hasPillsOfAll = hasAssociations && results.length > 0 && answers.length > 1
  const canBeYesOrNo =
    answers.length === YES_OR_NO.answers.length && answers.every(({ text }) => text === '')
  const isFull = answers.length >= LIMITS.answers_per_question

  const add = (): void => {
    const answer = createAnswer(question_id, newId())
    change({ type: 'answers_added', question_id, answers: [answer], index: answers.length })
  }
  /** Appends the first pasted line to the field; the other lines fill the empty answers below and become new answers. */
  const paste = (index: number, [first = '', ...others]: string[]): void => {
    const answer = answers[index]
    if (!answer) return
    const below = answers.slice(index + 1)
    const filled = below.findIndex((next) => !isBlankText(next.text) || next.image_id !== null)
    const empty = filled < 0 ? below : below.slice(0, filled)
    const max_length = LIMITS.answer_text
    const max_items = LIMITS.answers_per_question - answers.length + 1 + empty.length
    const fitted = fitItems([`${answer.text}${first}`, ...others], { max_items, max_length })
    const [text = '', ...texts] = fitted.items
    change({ type: 'answer_written', question_id, answer_id: answer.id, text })
    change({
      type: 'answers_added',
      question_id,
      answers: texts.map((line, rank) => {
        const reused = empty[rank]
        return reused ? { ...reused, text: line } : createAnswer(question_id, newId(), line)
      }),
      index: index + 1,
    })
    const loss = pasteLossMessage(fitted, { max_length, full: `${FULL}.` })
    if (loss) void alert(loss)
  }
  const goToNextAnswer = (index: number): void => {
    const next = answers[index + 1]
    if (next) focusElement(fieldId(next.id))
    else if (!isFull) add()
  }
  const remove = async (
    index: number,
    { isByBackspace }: { isByBackspace: boolean },
  ): Promise<void> => {
    const answer = answers[index]
    if (!answer) return
    const isConfirmed =
      isByBackspace ||
      (await confirm('Êtes-vous sûr de vouloir supprimer cette réponse ?', {
        confirm_label: 'Supprimer',
        danger: true,
      }))
    if (!isConfirmed) return
    change({ type: 'answer_removed', question_id, answer_id: answer.id, is_erased: isByBackspace })
    if (!isByBackspace) itemActions.announce('Réponse supprimée')
  }
  const goToNextScore = (index: number): void => {
    const next = answers[index + 1]
    if (next) focusElement(scoreId(next.id))
    else itemActions.goToNextQuestion(question_id)
  }
  const addAfter = (index: number, field: HTMLElement): void => {
    const answer = answers[index]
    const isReplaced = answer !== undefined && answer.image_id === null && answers.length > 1
    const erased = isReplaced ? { question_id, answer_id: answer.id } : undefined
    itemActions.addAfter(question_id, field, { erased })
  }
  const latest = useLatest({
    enter: goToNextAnswer,
    enterScore: goToNextScore,
    paste,
    remove,
    addAfter,
  })
  const actions = useMemo<AnswerActions>(
    () => ({
      enter: (index) => latest.current.enter(index),
      enterScore: (index) => latest.current.enterScore(index),
      paste: (index, lines) => latest.current.paste(index, lines),
      remove: (index, options) => void latest.current.remove(index, options),
      addAfter: (index, field) => latest.current.addAfter(index, field),
    }),
    [latest],
  )

  return (
    <div className="flex flex-col gap-3">
      {hasPillsOfAll && (
        <ResultPillsOfAll
          results={results}
          answers={answers}
          onCheck={(result_id, is_checked) =>
            change({ type: 'all_answers_associated', question_id, result_id, is_checked })
          }
        />
      )}
      <ul aria-label={`Réponses de la question ${number}`} className="flex flex-col gap-3">
        {answers.map((answer, index) => (
          <AnswerRow
            key={answer.id}
            answer={answer}
            rank={index + 1}
            questionNumber={number}
            answerFields={answerFields}
            hasPicture={hasPictures}
            jumpFieldPage={jumpFieldPage}
            change={change}
            actions={actions}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="ghost"
          icon={<Plus aria-hidden="true" />}
          disabled={isFull}
          title={isFull ? FULL : undefined}
          onClick={add}
        >
          Ajouter une réponse
        </Button>
        {canBeYesOrNo && (
          <Button
            pill
            size="compact"
            onClick={() =>
              change({ type: 'answers_written', question_id, texts: YES_OR_NO.answers })
            }
          >
            {YES_OR_NO.name}
          </Button>
        )}
      </div>
    </div>
  )
})
