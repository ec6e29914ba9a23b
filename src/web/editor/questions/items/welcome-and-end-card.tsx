import { ChevronRight, Plus } from 'lucide-react'
import { Suspense, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { excerpt } from '#domain/common/text.ts'
import { imageAddress } from '#domain/questionnaire/images.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { isWelcomeOrEndFilled } from '#domain/questionnaire/used-settings.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { WELCOME_AND_END_NAMES } from '#web/editor/fields/field-labels.ts'
import { focusOnceRendered, useOpenedRef } from '#web/editor/fields/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { afterPress } from '#web/ui/presses.ts'
import type { WelcomeAndEndProps } from './welcome-and-end-form.tsx'

const WelcomeAndEndForm = lazyPart(
  () => import('./welcome-and-end-form.tsx'),
  'Ces champs n’ont pas pu être chargés.',
)

const ADD_LABELS = { welcome: 'Ajouter un accueil', end: 'Personnaliser la fin' }

type CardProps = WelcomeAndEndProps & {
  /** Page that receives items added from here; 0 means before the first page. */
  page_number: number
  /** Place of this screen in the preview. */
  place: number
  /** Point to fix; undefined if there is none. */
  problem: string | undefined
  /** True if the screen has content besides its own fields. */
  hasMore?: boolean
}

/**
 * Shows the card of the welcome or end screen, which is one line while closed. The card opens when it has a
 * new point to fix or receives the focus.
 */
export const WelcomeAndEndCard = ({
  page_number,
  place,
  problem,
  hasMore,
  ...props
}: CardProps) => {
  const { quiz, kind } = props
  const card_id = pageFieldId(kind)
  const panel_id = useId()
  const line = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(problem !== undefined)
  const [wasLeft, setLeft] = useState(problem !== undefined)
  const [lastProblem, setLastProblem] = useState(problem)
  if (problem !== lastProblem) {
    setLastProblem(problem)
    if (lastProblem === undefined) setOpen(true)
  }
  const isWritten = hasMore || isWelcomeOrEndFilled(quiz, kind)
  const isShown = isOpen || isWritten
  const name = WELCOME_AND_END_NAMES[kind]
  const panel = useOpenedRef(setOpen)
  const open = (): void => {
    setOpen(true)
    focusOnceRendered([pageFieldId(`${kind}_title`)])
  }
  const close = (): void => {
    flushSync(() => setOpen(false))
    line.current?.focus()
  }
  return (
    <section
      id={card_id}
      tabIndex={-1}
      aria-label={name}
      data-page={isShown ? page_number : undefined}
      data-place={isShown ? place : undefined}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget && !isOpen) open()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) afterPress(() => setLeft(true))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !isOpen) return
        event.preventDefault()
        close()
      }}
      // Negative margins keep the first question near the top while the card is closed.
      className={`${isShown ? 'calm-card flex flex-col' : 'self-start'} ${isOpen ? '' : '-my-2'}`}
    >
      {!isShown && (
        <Button
          ref={line}
          variant="ghost"
          size="compact"
          icon={<Plus aria-hidden="true" />}
          aria-expanded={false}
          onClick={open}
        >
          {ADD_LABELS[kind]}
        </Button>
      )}
      {isShown && (
        <h2 className="text-sm font-semibold">
          <button
            ref={line}
            type="button"
            aria-expanded={isOpen}
            aria-controls={panel_id}
            onClick={isOpen ? close : open}
            className="flex min-h-11 w-full min-w-0 items-center gap-3 rounded-[inherit] px-4 text-left"
          >
            <span>{name}</span>
            {!isOpen && <Summary quiz={quiz} kind={kind} isToFix={problem !== undefined} />}
            <ChevronRight
              aria-hidden="true"
              className={`ml-auto size-4 shrink-0 text-ink-2 ${isOpen ? 'rotate-90' : ''}`}
            />
          </button>
        </h2>
      )}
      {isShown && (
        <div
          ref={panel}
          id={panel_id}
          hidden={!isOpen}
          className="flex flex-col gap-3 px-4 pt-1 pb-4 [&[hidden]]:hidden"
        >
          <Suspense fallback={<div className="h-64" />}>
            <WelcomeAndEndForm {...props} />
          </Suspense>
          {wasLeft && problem && <p className="text-sm text-warn">{problem}</p>}
        </div>
      )}
    </section>
  )
}

/** Shows the picture and the first words on the closed card. */
const Summary = ({
  quiz,
  kind,
  isToFix,
}: Pick<WelcomeAndEndProps, 'kind'> & { quiz: Quiz; isToFix: boolean }) => {
  const image_id = kind === 'welcome' ? quiz.welcome_image_id : null
  return (
    <>
      {image_id && (
        <img src={imageAddress(image_id, 400)} alt="" className="size-8 rounded-sm object-cover" />
      )}
      <span className="min-w-0 truncate font-normal text-ink-2" dir="auto">
        {firstWords(quiz, kind)}
      </span>
      {isToFix && <span className="shrink-0 font-normal text-warn">À corriger</span>}
    </>
  )
}

/** Length of the excerpt, more than one line can show. */
const EXCERPT_LENGTH = 160

const firstWords = (quiz: Quiz, kind: WelcomeAndEndProps['kind']): string => {
  const words =
    kind === 'welcome'
      ? (quiz.welcome_title ?? quiz.welcome_text ?? quiz.welcome_button)
      : (quiz.end_title ?? quiz.end_text ?? quiz.end_button_text ?? quiz.end_button_url)
  return excerpt(words ?? '', EXCERPT_LENGTH)
}
