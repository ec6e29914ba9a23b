import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Answer } from '#domain/questionnaire/quiz.ts'
import { fieldId } from '#web/editor/fields/field-ids.ts'
import { associationId, jumpId, scoreId } from '#web/editor/fields/publish-targets.ts'
import { focusElement } from '#web/editor/questions/draft/focus-after-action.ts'
import type { Scoring } from './answer-row.tsx'
import { AnswersList, type AnswersListProps } from './answers-list.tsx'

/** An item counts as in view up to one screen height above and below the screen. */
const MARGIN = '100% 0px'

const listeners = new WeakMap<Element, (isInView: boolean) => void>()
let observer: IntersectionObserver | undefined

const observe = (element: Element, onChange: (isInView: boolean) => void): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  listeners.set(element, onChange)
  observer.observe(element)
  return () => observer?.unobserve(element)
}

/**
 * Whether the item that contains an element is on screen or close to it. An item with the focus counts as in
 * view wherever it is; `show` makes it so for an item whose content is needed at once.
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
      // The focus also goes to no element when the placeholders are replaced by the fields.
      const isElsewhere = relatedTarget instanceof Node && !item.contains(relatedTarget)
      if (!isIntersecting && isElsewhere) setInView(false)
    }
    // Not left to the observer, which answers a frame later: Tab may come before.
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
