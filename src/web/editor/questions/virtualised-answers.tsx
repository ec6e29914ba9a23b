import { useLayoutEffect, useRef } from 'react'
import type { Answer } from '#domain/quiz.ts'
import { associationId, jumpId, scoreId } from '#web/editor/publish-targets.ts'
import type { Scoring } from './answer-row.tsx'
import { AnswersList, type AnswersListProps } from './answers-list.tsx'
import { focusElement } from './focus-after.ts'
import { fieldId } from './question-words.ts'
import { useInView } from './use-in-view.ts'

/** Questions from this number on begin as placeholders: they may be off screen. */
const FIRST_OUT_OF_VIEW = 4

/**
 * The answers of one question of a virtualised list: their fields while the question is in view, else their
 * texts alone. Thousands of fields off screen would slow every keystroke.
 */
export const VirtualisedAnswers = (props: AnswersListProps) => {
  const { answers, number, scoring } = props
  const { ref, isInView, show } = useInView(number < FIRST_OUT_OF_VIEW)

  // A placeholder has the id of its field, and passes the focus on to it once it is rendered.
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (!isInView || wanted.current === null) return
    focusElement(wanted.current)
    wanted.current = null
  }, [isInView])

  return (
    <div ref={ref}>
      {isInView ? (
        <AnswersList {...props} />
      ) : (
        <ul
          aria-label={`Réponses de la question ${number}`}
          onFocus={({ target }) => {
            wanted.current = target.id
            show()
          }}
        >
          {answers.map((answer) => (
            <AnswerPlaceholder key={answer.id} answer={answer} scoring={scoring} />
          ))}
        </ul>
      )}
    </div>
  )
}

const AnswerPlaceholder = ({
  answer: { id, text, jump_to },
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
    {jump_to !== null && <span id={jumpId(id)} tabIndex={-1} />}
    {hasAssociations && results.length > 0 && <span id={associationId(id)} tabIndex={-1} />}
  </li>
)
