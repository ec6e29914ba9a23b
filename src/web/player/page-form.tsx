import {
  type ComponentProps,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { CONSENT } from '#domain/consent.ts'
import type { Replies } from '#domain/quiz.ts'
import type { SnapshotQuestion } from '#domain/snapshot.ts'
import { replyTo, type SnapshotPage } from '#domain/taking.ts'
import { ChangingText } from './changing-text.tsx'
import { linkedText } from './french-text.ts'
import { QuestionField } from './question-field.tsx'
import type { RunEvent } from './run.ts'

/** What the server adds, so that the form works where no script runs. */
export type Posting = {
  form: ComponentProps<'form'>
  back: ComponentProps<'button'>
  /** Hidden fields, and what was refused. */
  lead: ReactNode
}

type Props = {
  page: SnapshotPage
  page_index: number
  page_count: number
  /** What the last page's button says. */
  end_label: string
  /** What was given before this page was shown. */
  replies: Replies
  /** The questions that still hold « Suivant » back. */
  missing: SnapshotQuestion[]
  /** Whether a script runs. */
  is_live: boolean
  /** Whether the fields' own formats are checked too. */
  checks_formats: boolean
  /** Whether the page is only read again. */
  is_finished: boolean
  posting?: Posting
  send: (event: RunEvent) => void
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** As much of a question as names it. */
const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/**
 * Fields of numbers drop the comma where the browser's language writes a point: 3,5 would become 35. Typed or
 * pasted, a comma is put in as a point, and spaces between digits are left out.
 */
const pointDecimals = (event: InputEvent): void => {
  const { target, data } = event
  if (!(target instanceof HTMLInputElement && target.type === 'number' && data?.includes(',')))
    return
  event.preventDefault()
  document.execCommand('insertText', false, data.replaceAll(',', '.').replace(/\s/g, ''))
}

/** What the fields of a page hold, by question id; without NUL, which no server could keep. */
export const readReplies = (form: HTMLFormElement): Replies =>
  Object.fromEntries(
    [...new FormData(form)].map(([id, value]) => [id, String(value).replaceAll('\0', '')]),
  )

/**
 * One page of a run. The fields are uncontrolled and read on input, so that what was typed before
 * the script ran stays.
 */
export const PageForm = ({
  page,
  page_index,
  page_count,
  end_label,
  replies,
  missing,
  is_live,
  checks_formats,
  is_finished,
  posting,
  send,
}: Props) => {
  const form = useRef<HTMLFormElement>(null)
  const [initial] = useState(replies)
  /** The name of the field whose format is wrong. */
  const [wrong, setWrong] = useState<string>()
  /** Whether « Suivant » was pressed while it is held back. */
  const [was_held, setWasHeld] = useState(false)

  useLayoutEffect(() => {
    const element = form.current
    if (!element) return
    // Typed before the fields of numbers became such, which take a point alone.
    for (const field of element.querySelectorAll<HTMLInputElement>('[inputmode=decimal]'))
      field.value = field.value.replace(',', '.')
    // The form may hold what was typed before this component was alive.
    send({ kind: 'reply', replies: readReplies(element) })
    element.addEventListener('beforeinput', pointDecimals)
    return () => element.removeEventListener('beforeinput', pointDecimals)
  }, [send])

  const read = ({ currentTarget }: FormEvent<HTMLFormElement>): void => {
    setWrong(undefined)
    send({ kind: 'reply', replies: readReplies(currentTarget) })
  }

  /** A number that is none reads as '', so « Suivant » stays closed: it is said on the way out. */
  const leave = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLInputElement && target.validity.badInput) setWrong(target.name)
  }

  /** Leads to the first question that holds « Suivant » back. */
  const leadBack = (): void => {
    const field = form.current?.querySelector<Field>(`[name="${missing[0]?.id}"]`)
    field?.focus()
    field?.closest('.q-item')?.scrollIntoView({ block: 'nearest' })
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing.length > 0) {
      setWasHeld(true)
      leadBack()
      return
    }
    const invalid = checks_formats && form.current?.querySelector<Field>('.q-input:invalid')
    if (invalid) {
      setWrong(invalid.name)
      invalid.focus()
    } else send({ kind: 'next' })
  }

  const { length: nb_missing, 0: first } = missing
  const way = first && `Répondre à : ${shortened(first.text)}`
  const hint =
    nb_missing > 0 ? `${nb_missing} question${nb_missing > 1 ? 's' : ''} sans réponse` : ''
  const isLast = page_index === page_count - 1
  return (
    <form
      ref={form}
      className="q-page"
      // Where a script runs, the page itself says what is wrong, in French.
      noValidate={is_live}
      onInput={read}
      onBlurCapture={leave}
      onSubmit={submit}
      {...posting?.form}
    >
      {posting?.lead}
      {page.items.map((item) =>
        item.kind === 'question' ? (
          <QuestionField
            key={item.question.id}
            question={item.question}
            reply={replyTo(initial, item.question.id)}
            agreed={replyTo(initial, CONSENT)}
            is_finished={is_finished}
            is_live={is_live}
            is_wrong={item.question.id === wrong}
          />
        ) : (
          <p key={item.text_block.id} className="q-item q-text" dir="auto">
            {linkedText(item.text_block.content)}
          </p>
        ),
      )}
      <div className="q-steps">
        <button
          type="button"
          className="q-back"
          disabled={page_index === 0}
          onClick={() => send({ kind: 'go', page_index: page_index - 1 })}
          {...posting?.back}
        >
          Précédent
        </button>
        <p className="q-counter">{`${page_index + 1} / ${page_count}`}</p>
        <button
          type="submit"
          className="q-next"
          // Held back, it still leads to what is missing.
          aria-disabled={nb_missing > 0 || undefined}
          title={way}
          aria-describedby={nb_missing > 0 ? 'q-hint' : undefined}
        >
          {isLast ? end_label : 'Suivant'}
        </button>
      </div>
      <p id="q-hint" className="q-hint" role="status">
        <ChangingText>{hint}</ChangingText>
      </p>
      {way && was_held && (
        <button type="button" className="q-lead" onClick={leadBack}>
          <ChangingText>{way}</ChangingText>
        </button>
      )}
    </form>
  )
}
