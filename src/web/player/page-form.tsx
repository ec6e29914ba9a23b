import {
  Component,
  type ComponentProps,
  createRef,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
} from 'react'
import { CONSENT } from '#domain/consent.ts'
import type { Replies } from '#domain/quiz.ts'
import type { SnapshotQuestion } from '#domain/snapshot.ts'
import { replyTo, type SnapshotPage } from '#domain/taking.ts'
import { linkedText } from './french-text.ts'
import { QuestionField } from './question-field.tsx'

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
  onReply: (replies: Replies) => void
  onBack: () => void
  onNext: () => void
}

type State = {
  /** The name of the field whose format is wrong. */
  wrong?: string
  /** Whether « Suivant » was pressed while it is held back. */
  was_held?: boolean
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
export class PageForm extends Component<Props, State> {
  form = createRef<HTMLFormElement>()
  initial = this.props.replies
  override state: State = {}

  read = (): void => {
    const form = this.form.current
    if (form) this.props.onReply(readReplies(form))
  }

  override componentDidMount(): void {
    // From here on the page itself says what is wrong, in French.
    const form = this.form.current
    if (form) {
      form.noValidate = true
      form.addEventListener('beforeinput', pointDecimals)
      // Typed before the fields of numbers became such, which take a point alone.
      for (const field of form.querySelectorAll<HTMLInputElement>('[inputmode=decimal]'))
        field.value = field.value.replace(',', '.')
    }
    // The form may hold what was typed before this component was alive.
    this.read()
  }

  input = (): void => {
    if (this.state.wrong) this.setState({ wrong: undefined })
    this.read()
  }

  /** A number that is none reads as '', so « Suivant » stays closed: it is said on the way out. */
  leave = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLInputElement && target.validity.badInput)
      this.setState({ wrong: target.name })
  }

  /** Leads to the first question that holds « Suivant » back. */
  leadBack = (): void => {
    const field = this.form.current?.querySelector<Field>(`[name="${this.props.missing[0]?.id}"]`)
    field?.focus()
    field?.closest('.q-item')?.scrollIntoView({ block: 'nearest' })
  }

  submit = (event: FormEvent): void => {
    event.preventDefault()
    if (this.props.missing.length > 0) {
      this.setState({ was_held: true })
      this.leadBack()
      return
    }
    const wrong =
      this.props.checks_formats && this.form.current?.querySelector<Field>('.q-input:invalid')
    if (wrong) {
      this.setState({ wrong: wrong.name })
      wrong.focus()
    } else this.props.onNext()
  }

  override render() {
    const { page, page_index, page_count, end_label, is_live, is_finished, posting, onBack } =
      this.props
    const { length: nb_missing, 0: first } = this.props.missing
    const way = first && `Répondre à : ${shortened(first.text)}`
    const isLast = page_index === page_count - 1
    return (
      <form
        ref={this.form}
        className="q-page"
        onInput={this.input}
        onBlurCapture={this.leave}
        onSubmit={this.submit}
        {...posting?.form}
      >
        {posting?.lead}
        {page.items.map((item) =>
          item.kind === 'question' ? (
            <QuestionField
              key={item.question.id}
              question={item.question}
              reply={replyTo(this.initial, item.question.id)}
              agreed={replyTo(this.initial, CONSENT)}
              is_finished={is_finished}
              is_live={is_live}
              is_wrong={item.question.id === this.state.wrong}
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
            onClick={onBack}
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
          {nb_missing > 0 ? `${nb_missing} question${nb_missing > 1 ? 's' : ''} sans réponse` : ''}
        </p>
        {way && this.state.was_held && (
          <button type="button" className="q-lead" onClick={this.leadBack}>
            {way}
          </button>
        )}
      </form>
    )
  }
}
