import { useLayoutEffect, useRef } from 'react'
import type { Answer } from '#domain/quiz.ts'
import { associationId, scoreId } from '#web/editor/publish-targets.ts'
import type { Scoring } from './answer-row.tsx'
import { AnswersList, type AnswersListProps } from './answers-list.tsx'
import { fieldId } from './question-words.ts'
import { useNear } from './use-near.ts'

/** Questions from this number on may be off screen when it opens. */
const FIRST_FAR = 4

/**
 * The answers of one of very many questions: their fields while it is on screen or close to it, else
 * their words alone. Thousands of fields that nobody sees would make every key slow.
 */
export const RestingAnswers = (props: AnswersListProps) => {
  const { answers, number, scoring } = props
  const { ref, isNear, approach } = useNear(number < FIRST_FAR)

  // What is asked for by its id gets the focus as if it had been there.
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (!isNear || wanted.current === null) return
    document.getElementById(wanted.current)?.focus()
    wanted.current = null
  }, [isNear])

  return (
    <div ref={ref}>
      {isNear ? (
        <AnswersList {...props} />
      ) : (
        <ul
          aria-label={`Réponses de la question ${number}`}
          onFocus={({ target }) => {
            wanted.current = target.id
            approach()
          }}
        >
          {answers.map((answer) => (
            <RestingAnswer key={answer.id} answer={answer} scoring={scoring} />
          ))}
        </ul>
      )}
    </div>
  )
}

const RestingAnswer = ({
  answer: { id, text },
  scoring: { hasScores, hasAssociations, results },
}: {
  answer: Answer
  scoring: Scoring
}) => (
  <li>
    <span id={fieldId(id)} tabIndex={-1}>
      {text}
    </span>
    {hasScores && <span id={scoreId(id)} tabIndex={-1} />}
    {hasAssociations && results.length > 0 && <span id={associationId(id)} tabIndex={-1} />}
  </li>
)
