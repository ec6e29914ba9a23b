import {
  type ComponentProps,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { cleanEmail } from '#domain/common/addresses.ts'
import { CONSENT_FIELD } from '#domain/questionnaire/consent.ts'
import { JUMP_TO_END, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { ACCENTED_EMAIL, WRONG_DAY, WRONG_FORMAT } from '#domain/run/field-formats.ts'
import { otherField, replyTo } from '#domain/run/replies.ts'
import type { Insertions } from '#domain/run/rich-text.ts'
import type { PlayerRules } from '#domain/run/scoring.ts'
import { findBlockingQuestions, type SnapshotPage } from '#domain/run/submission-checks.ts'
import { HAS_QUESTION_OPTIONS } from '#web/player/content/has-question-options.ts'
import { ChangingText, filledText, RichTextElement } from '#web/player/content/rich-text.tsx'
import type { FieldProps } from '#web/player/fields/field-props.ts'
import {
  type Field,
  focusNextOnEnter,
  isInput,
  normalizeDecimals,
  readReplies,
} from '#web/player/fields/page-fields.ts'
import { QuestionField } from '#web/player/fields/question-field.tsx'
import { findBlankOther, missingTextError } from '#web/player/fields/question-options.tsx'
import type { Run, RunEvent } from '#web/player/run/run.ts'

/** Props that the server adds, so that the form works without scripts. */
export type NoscriptProps = {
  form: ComponentProps<'form'>
  back: ComponentProps<'button'>
  /** Hidden fields, and the reason of a refusal. */
  hidden_fields: ReactNode
}

type Props = {
  page: SnapshotPage
  page_index: number
  page_count: number
  /** Index of the previous page on the path; undefined on the first. */
  page_before: number | undefined
  /** True if the end follows this page, given the replies so far. */
  is_last: boolean
  /** Label of the last page's button. */
  end_label: string
  /** Replies when this page was opened, which fill its uncontrolled fields. */
  replies: Replies
  /** Replies now. */
  current: Replies
  /** Orders the answers of a question for each visitor. */
  orderAnswers: FieldProps['orderAnswers']
  /** Values of the insertions in the texts; null on a page without insertions. */
  insertions: Insertions | null
  /** True if a script runs. */
  is_live: boolean
  /** Rules for the answers that a page needs before « Suivant ». */
  rules: PlayerRules
  /** True if the answers are submitted, so that the page is read-only. */
  is_finished: boolean
  noscript?: NoscriptProps
  /** Applies an event and returns the run after it. */
  send: (event: RunEvent) => Run
}

/** Returns the error of a question when the invalid field `wrong` belongs to the question. */
const faultOf = (
  { id, type }: SnapshotQuestion,
  wrong: string | undefined,
  replies: Replies,
): string | undefined => {
  if (wrong === id) {
    if (HAS_QUESTION_OPTIONS && type === 'date') return WRONG_DAY
    const isAccented = type === 'email' && /[^ -~].*@/.test(`${replyTo(replies, id)}`)
    return isAccented ? ACCENTED_EMAIL : WRONG_FORMAT[type]
  }
  return HAS_QUESTION_OPTIONS && wrong === otherField(id) ? missingTextError() : undefined
}

/** Returns true if an answer of this page jumps to the end, so that the page's button may become the last one. */
export const leadsToEnd = ({ items }: SnapshotPage): boolean =>
  items.some(
    (item) =>
      item.kind === 'question' &&
      item.question.answers.some(({ jump_to }) => jump_to === JUMP_TO_END),
  )

/**
 * Renders one page of a run. The fields are uncontrolled, so that text typed before the script ran stays. Their
 * values are read at each event, and again before the visitor leaves the page.
 */
export const PageForm = ({
  page,
  page_index,
  page_count,
  page_before,
  is_last,
  end_label,
  replies,
  current,
  orderAnswers,
  insertions,
  rules,
  is_live,
  is_finished,
  noscript,
  send,
}: Props) => {
  const form = useRef<HTMLFormElement>(null)
  const [initial] = useState(replies)
  /** The name of the invalid field. */
  const [wrong, setWrong] = useState<string>()
  /** True if « Suivant » was pressed while an answer was missing. */
  const [was_blocked, setWasBlocked] = useState(false)

  /** Copies the values of the fields into the run. Password managers may fill a field without an event. */
  const read = useCallback(
    (): Run => send({ kind: 'reply', replies: form.current ? readReplies(form.current) : {} }),
    [send],
  )

  useLayoutEffect(() => {
    const element = form.current
    if (!element) return
    // Text typed before these fields became number fields may have a comma; number fields only accept a point.
    for (const field of element.querySelectorAll<HTMLInputElement>('[inputmode=decimal]'))
      field.value = field.value.replace(',', '.')
    // The form may contain text typed before hydration.
    read()
    // Adding a listener twice has no effect.
    element.addEventListener('beforeinput', normalizeDecimals)
    element.addEventListener('keydown', focusNextOnEnter)
    // The browser has filled the fields of a restored page before this event.
    addEventListener('pageshow', read)
    return () => removeEventListener('pageshow', read)
  }, [read])

  const edit = (): void => {
    setWrong(undefined)
    read()
  }

  /** Shows the error of an invalid number or date on blur, because its value reads as '' like a blank field. */
  const showInvalidValue = ({ target }: FocusEvent<HTMLFormElement, Element>): void => {
    read()
    if (isInput(target) && target.validity.badInput) setWrong(target.name)
  }

  /** Focuses a field and scrolls to it; shows its error when `isWrong`. */
  const lead = (field: Field | null | undefined, isWrong = true): void => {
    if (field && isWrong) setWrong(field.name)
    field?.focus()
    field?.closest('.q-item')?.scrollIntoView({ block: 'nearest' })
  }

  /** Returns the questions that still need an answer before « Suivant ». */
  const missingIn = (given: Replies): SnapshotQuestion[] =>
    is_live && !is_finished ? findBlockingQuestions(page, given, rules) : []

  /** Focuses the field of a question that needs an answer. */
  const focusFirst = (question: SnapshotQuestion): void => {
    const other = HAS_QUESTION_OPTIONS && form.current ? findBlankOther(form.current) : undefined
    if (other?.name === otherField(question.id)) lead(other)
    else
      lead(form.current?.querySelector<Field>(`[name="${question.id}"]:not([type=hidden])`), false)
  }

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { currentTarget } = event
    // Pasted addresses often have invisible characters around them.
    for (const field of currentTarget.querySelectorAll<Field>('[type=email]'))
      field.value = cleanEmail(field.value)
    const [lacking] = missingIn(read().replies)
    if (lacking) {
      setWasBlocked(true)
      focusFirst(lacking)
      return
    }
    const invalid =
      (HAS_QUESTION_OPTIONS && findBlankOther(currentTarget)) ||
      (rules.needs_every_answer && currentTarget.querySelector<Field>('.q-input:invalid'))
    if (invalid) lead(invalid)
    else send({ kind: 'next' })
  }

  const { length: nb_missing, 0: first } = missingIn(current)
  const way = first && `Répondre à : ${filledText(first.text, insertions)}`
  const hint =
    nb_missing > 0 ? `${nb_missing} question${nb_missing > 1 ? 's' : ''} sans réponse` : ''
  return (
    <form
      ref={form}
      className="q-page"
      // With scripts, the page shows its own messages, in French.
      noValidate={is_live}
      onInput={edit}
      onChange={read}
      onBlurCapture={showInvalidValue}
      onSubmit={submit}
      {...noscript?.form}
    >
      {noscript?.hidden_fields}
      {page.items.map((item) =>
        item.kind === 'question' ? (
          <QuestionField
            key={item.question.id}
            question={item.question}
            insertions={insertions}
            reply={replyTo(initial, item.question.id)}
            current={HAS_QUESTION_OPTIONS ? replyTo(current, item.question.id) : ''}
            agreed={String(replyTo(initial, CONSENT_FIELD))}
            orderAnswers={orderAnswers}
            is_finished={is_finished}
            is_live={is_live}
            fault={faultOf(item.question, wrong, current)}
          />
        ) : (
          <RichTextElement
            key={item.text_block.id}
            text={item.text_block.content}
            insertions={insertions}
            className="q-item q-text"
          />
        ),
      )}
      <div className="q-steps">
        <button
          type="button"
          className="q-back"
          disabled={page_before === undefined}
          onClick={() => {
            read()
            send({ kind: 'go', page_index: page_before ?? page_index })
          }}
          {...noscript?.back}
        >
          Précédent
        </button>
        <p className="q-counter">{`${page_index + 1} / ${page_count}`}</p>
        <button
          type="submit"
          className="q-next"
          data-last={is_last || undefined}
          // A second press was meant for the previous page; player.css blocks a first press for a moment.
          onClick={(event) => {
            if (event.detail > 1) event.preventDefault()
          }}
          // The button is not `disabled`, so that a press leads to the missing answers.
          aria-disabled={nb_missing > 0 || undefined}
          title={way}
          aria-describedby={nb_missing > 0 ? 'q-hint' : undefined}
          data-end={HAS_QUESTION_OPTIONS && leadsToEnd(page) ? end_label : undefined}
        >
          <ChangingText>{is_last ? end_label : 'Suivant'}</ChangingText>
        </button>
      </div>
      <p id="q-hint" className="q-hint" role="status">
        <ChangingText>{hint}</ChangingText>
      </p>
      {first && way && was_blocked && (
        <button type="button" className="q-missing-link" onClick={() => focusFirst(first)}>
          <ChangingText>{way}</ChangingText>
        </button>
      )}
    </form>
  )
}
