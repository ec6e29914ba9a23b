import type { Question } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { Scoring } from './answer-row.tsx'
import { AnswersList } from './answers-list.tsx'
import { ItemFrame, type ItemGestures } from './item-frame.tsx'
import type { Spot } from './page-places.ts'
import { fieldId, QUESTION_TYPE_NAMES } from './question-words.ts'
import type { ChangeQuestions } from './use-questions.ts'

/** One question on its page. */
export const QuestionItem = ({
  question,
  number,
  spot,
  scoring,
  gestures,
  change,
  announce,
}: {
  question: Question
  /** From 1. */
  number: number
  spot: Spot
  scoring: Scoring
  gestures: ItemGestures
  change: ChangeQuestions
  announce: (text: string) => void
}) => {
  const { id, text, type, answers } = question
  const title = `Question ${number}`
  return (
    <ItemFrame
      id={id}
      spot={spot}
      title={title}
      kind={QUESTION_TYPE_NAMES[type]}
      gestures={gestures}
    >
      <TextField
        multiline
        id={fieldId(id)}
        label={title}
        hideLabel
        placeholder="Texte de la question"
        rows={1}
        value={text}
        maxLength={LIMITS.question_text}
        onChange={(event) =>
          change({ type: 'question_written', id, text: event.currentTarget.value })
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          const [first] = answers
          if (first) document.getElementById(fieldId(first.id))?.focus()
        }}
      />
      {type === 'multiple_choice' && (
        <AnswersList
          question={question}
          number={number}
          scoring={scoring}
          change={change}
          announce={announce}
        />
      )}
    </ItemFrame>
  )
}
