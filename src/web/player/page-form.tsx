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
import { replyTo, type SnapshotPage } from '#domain/taking.ts'
import { frenchText } from './french-text.ts'
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
  /** What was given before this page was shown. */
  replies: Replies
  /** How many questions still hold « Suivant » back. */
  missing: number
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
}

type Field = HTMLInputElement | HTMLTextAreaElement

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
    if (this.form.current) this.form.current.noValidate = true
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

  submit = (event: FormEvent): void => {
    event.preventDefault()
    const wrong =
      this.props.checks_formats && this.form.current?.querySelector<Field>('.q-input:invalid')
    if (wrong) {
      this.setState({ wrong: wrong.name })
      wrong.focus()
    } else this.props.onNext()
  }

  override render() {
    const { page, page_index, page_count, missing, is_finished, posting, onBack } = this.props
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
              is_wrong={item.question.id === this.state.wrong}
            />
          ) : (
            <p key={item.text_block.id} className="q-item q-text">
              {frenchText(item.text_block.content)}
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
            disabled={missing > 0}
            aria-describedby={missing > 0 ? 'q-hint' : undefined}
          >
            {isLast ? 'Voir le résultat' : 'Suivant'}
          </button>
        </div>
        <p id="q-hint" className="q-hint" role="status">
          {missing > 0 ? `${missing} question${missing > 1 ? 's' : ''} sans réponse` : ''}
        </p>
      </form>
    )
  }
}
