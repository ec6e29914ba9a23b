/** @jsxImportSource #web/player */
import { CONSENT_FIELD } from '#domain/questionnaire/consent/consent.ts'
import { isSondage, JUMP_TO_END, type Replies } from '#domain/questionnaire/quiz.ts'
import { otherField, replyTo } from '#domain/run/replies.ts'
import type { Insertions, RichQuestion, RichSnapshot } from '#domain/run/rich-text.ts'
import type { PlayerRules } from '#domain/run/scoring.ts'
import { findBlockingQuestions, type SnapshotPage } from '#domain/run/submission-checks.ts'
import { CreatorText } from '#web/player/content/texts.tsx'
import type { FieldProps } from '#web/player/fields/field-props.ts'
import { QuestionField } from '#web/player/fields/question-field.tsx'
import { parts, type RenderItem } from '#web/player/parts.ts'
import type { Run } from '#web/player/run/run.ts'
import type { FormState, NoscriptProps, PlayerActions } from './page-props.ts'

type Props = {
  page: SnapshotPage
  page_index: number
  page_count: number
  is_first: boolean
  /** True if the end follows this page, given the replies so far. */
  is_last: boolean
  quiz: RichSnapshot['quiz']
  run: Run
  form: FormState
  /** Orders the answers of a question for each visitor. */
  orderAnswers: FieldProps['orderAnswers']
  /** Values of the insertions in the texts; null on a page without insertions. */
  insertions: Insertions | null
  /** True if a script runs. */
  is_live: boolean
  /** Rules for the answers that a page needs before « Suivant ». */
  rules: PlayerRules
  noscript: NoscriptProps | undefined
  actions: Partial<PlayerActions>
}

/** Returns the error of a question if the field named `invalid_field` belongs to the question. */
const errorOf = (
  question: RichQuestion,
  invalid_field: string | undefined,
  replies: Replies,
): string | undefined => {
  if (invalid_field === question.id)
    return parts.formatError?.(question, replyTo(replies, question.id))
  return invalid_field === otherField(question.id) ? parts.missingTextError?.() : undefined
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
  is_first,
  is_last,
  quiz,
  run,
  form,
  orderAnswers,
  insertions,
  rules,
  is_live,
  noscript,
  actions,
}: Props) => {
  const { replies, is_finished } = run
  const wordingOf = (text: string): string => parts.wordingOf(quiz, text)
  const end_label = wordingOf(isSondage(quiz) ? 'Envoyer' : 'Voir le résultat')
  const label = is_last ? end_label : wordingOf('Suivant')
  const summary = parts.PageSummary?.(page, run)
  const missing = is_live && !is_finished ? findBlockingQuestions(page, replies, rules) : []
  const { length: nb_missing, 0: first } = missing
  const text =
    first && ((insertions && parts.fillInsertions?.(first.text, insertions)) ?? first.text)
  const missing_label = first && `Répondre à : ${text}`
  const renderItem: RenderItem = ({ question, text_block }, Field = QuestionField) => {
    const correction = question && parts.QuestionCorrection?.(question, run, insertions, quiz)
    const error = question && errorOf(question, form.invalid_field, replies)
    return question ? (
      <Field
        key={question.id}
        question={question}
        quiz={quiz}
        insertions={insertions}
        reply={replyTo(form.replies, question.id)}
        current={replyTo(replies, question.id)}
        consent_reply={String(replyTo(form.replies, CONSENT_FIELD))}
        orderAnswers={orderAnswers}
        is_finished={is_finished || !!correction}
        is_live={is_live}
        error_message={error && wordingOf(error)}
        correction={correction}
      />
    ) : (
      text_block && (
        <CreatorText
          key={text_block.id}
          text={text_block.content}
          insertions={insertions}
          className="q-item q-text"
        />
      )
    )
  }
  return (
    // With scripts, the page shows its own messages, in French.
    <form className="q-page" noValidate={is_live} {...noscript?.form}>
      {noscript?.hidden_fields}
      {summary}
      {parts.renderItems?.(page.items, renderItem, insertions) ??
        page.items.map((item) => renderItem(item))}
      <div className="q-steps">
        <button
          type="button"
          className="q-back"
          disabled={is_first}
          onClick={actions.goBack}
          {...noscript?.back}
        >
          {wordingOf('Précédent')}
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
          aria-disabled={first ? true : undefined}
          title={missing_label}
          aria-describedby={first ? 'q-hint' : undefined}
          data-end={leadsToEnd(page) ? end_label : undefined}
        >
          {summary ? wordingOf('Continuer') : label}
        </button>
      </div>
      <p id="q-hint" className="q-hint" role="status">
        {first && `${nb_missing} question${nb_missing > 1 ? 's' : ''} sans réponse`}
      </p>
      {first && form.was_blocked && (
        <button
          type="button"
          className="q-missing-link"
          onClick={() => actions.focusQuestion?.(first)}
        >
          {missing_label}
        </button>
      )}
    </form>
  )
}
