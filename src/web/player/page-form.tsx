import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Replies } from '#domain/quiz.ts'
import { replyTo, type SnapshotPage } from '#domain/taking.ts'
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
  /** Whether the browser checks the fields' own formats too. */
  checks_formats: boolean
  posting?: Posting
  onReply: (replies: Replies) => void
  onBack: () => void
  onNext: () => void
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
export const PageForm = (props: Props) => {
  const { page, page_index, page_count, missing, checks_formats, posting } = props
  const { onReply, onBack, onNext } = props
  const form = useRef<HTMLFormElement>(null)
  const [initial] = useState(props.replies)
  const read = (): void => {
    if (form.current) onReply(readReplies(form.current))
  }
  // The form may hold what was typed before this component was alive.
  useLayoutEffect(read)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onNext()
  }
  const isLast = page_index === page_count - 1
  return (
    <form
      ref={form}
      className="q-page"
      noValidate={!checks_formats}
      onInput={read}
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
          />
        ) : (
          <p key={item.text_block.id} className="q-item q-text">
            {item.text_block.content}
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
        <p id="q-counter" className="q-counter">{`${page_index + 1} / ${page_count}`}</p>
        <button
          type="submit"
          className="q-next"
          disabled={missing > 0}
          aria-describedby={missing > 0 ? 'q-hint' : undefined}
        >
          {isLast ? 'Voir le résultat' : 'Suivant'}
        </button>
      </div>
      <p id="q-hint" className="q-hint">
        {missing > 0 ? `${missing} question${missing > 1 ? 's' : ''} sans réponse` : ''}
      </p>
    </form>
  )
}
