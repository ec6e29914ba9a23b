import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Answer } from '#domain/questionnaire/quiz.ts'
import { associationId, fieldId, jumpId, scoreId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import type { AnswerFields } from './answer-row.tsx'
import { AnswersList, type AnswersListProps } from './answers-list.tsx'

/** Number of the first question that starts with placeholders, because the question may be off screen. */
const FIRST_VIRTUALISED_NUMBER = 4

/**
 * Shows the answers of one question in a long questionnaire: fields while the question is in view, texts
 * otherwise. Thousands of fields off screen would slow every keystroke.
 */
export const VirtualisedAnswers = (props: AnswersListProps) => {
  const { answers, number, answerFields } = props
  const { ref, isInView, show } = useInView(number < FIRST_VIRTUALISED_NUMBER)

  // A placeholder has the id of its field. On focus the field replaces the placeholder and is then focused.
  const pendingFocusId = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (!isInView || pendingFocusId.current === null) return
    focusElement(pendingFocusId.current)
    pendingFocusId.current = null
  }, [isInView])

  return (
    <div ref={ref}>
      {isInView ? (
        <AnswersList {...props} />
      ) : (
        <ul
          aria-label={`Réponses de la question ${number}`}
          onFocus={({ target }) => {
            pendingFocusId.current = target.id
            show()
          }}
        >
          {answers.map((answer) => (
            <AnswerPlaceholder key={answer.id} answer={answer} answerFields={answerFields} />
          ))}
        </ul>
      )}
    </div>
  )
}

const AnswerPlaceholder = ({
  answer: { id, text, jump_to },
  answerFields: { hasScores, hasAssociations, results },
}: {
  answer: Answer
  answerFields: AnswerFields
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

/** Margin of the observer: items within one screen height above or below count as in view. */
const VIEW_MARGIN = '100% 0px'

const listeners = new WeakMap<Element, (isInView: boolean) => void>()
let observer: IntersectionObserver | undefined

const observe = (element: Element, onChange: (isInView: boolean) => void): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: VIEW_MARGIN },
  )
  listeners.set(element, onChange)
  observer.observe(element)
  return () => observer?.unobserve(element)
}

/**
 * Tracks whether the item that contains an element is on screen or close to it. An item with the focus always
 * counts as in view; `show` forces it.
 */
const useInView = (
  isInViewAtFirst: boolean,
): { ref: RefCallback<Element>; isInView: boolean; show: () => void } => {
  const [isInView, setInView] = useState(isInViewAtFirst)
  const ref = useCallback((element: Element | null) => {
    const item = element?.closest<HTMLElement>('[data-item]')
    if (!item) return
    let isIntersecting = true
    const onLeave = ({ relatedTarget }: FocusEvent): void => {
      // `relatedTarget` is null when fields replace the focused placeholder; the item then stays in view.
      const isElsewhere = relatedTarget instanceof Node && !item.contains(relatedTarget)
      if (!isIntersecting && isElsewhere) setInView(false)
    }
    // Set here because the observer reports a frame later, and Tab may be pressed before.
    const onEnter = (): void => setInView(true)
    item.addEventListener('focusin', onEnter)
    item.addEventListener('focusout', onLeave)
    const unobserve = observe(item, (isNow) => {
      isIntersecting = isNow
      setInView(isIntersecting || item.contains(document.activeElement))
    })
    return () => {
      unobserve()
      item.removeEventListener('focusin', onEnter)
      item.removeEventListener('focusout', onLeave)
    }
  }, [])
  return { ref, isInView, show: () => setInView(true) }
}
