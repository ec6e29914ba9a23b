/** @jsxImportSource #web/player */
import {
  answerMark,
  CHOSEN_WRONG,
  type Correction,
  correctionOf,
  correctionsOf,
  correctionsSummary,
  otherLabel,
  VERDICT_LABELS,
  VERDICT_SIGNS,
} from '#domain/run/corrections/corrections.ts'
import { replyPartsOf } from '#domain/run/replies.ts'
import type { Insertions, RichQuestion } from '#domain/run/rich-text.ts'
import type { SnapshotPage } from '#domain/run/submission-checks.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { CreatorText } from '#web/player/content/texts.tsx'
import type { EndProps } from '#web/player/ending/end-props.ts'
import { parts, type SecondFileParts } from '#web/player/parts.ts'
import './corrections.css'

const isSeen = ({ id }: { id: string }, locked: readonly string[]): boolean => locked.includes(id)

/**
 * Renders the summary of a page whose corrections are shown. The summary receives the focus when the corrections
 * appear.
 */
export const PageSummary: SecondFileParts['PageSummary'] = (page, { replies, locked = [] }) => {
  const corrections = seenQuestions(page, locked).flatMap(
    (question) => correctionOf(question, replies) ?? [],
  )
  return (
    corrections.length > 0 && (
      <p className="q-sum" tabIndex={-1}>
        {correctionsSummary(corrections)}
      </p>
    )
  )
}

const seenQuestions = ({ items }: SnapshotPage, locked: readonly string[]): RichQuestion[] =>
  items.flatMap((item) =>
    item.kind === 'question' && isSeen(item.question, locked) ? item.question : [],
  )

/**
 * Renders the correction of a question on its locked page; an empty list if the question is not corrected. Null means
 * that the reply can change: the page is not locked, or a newer version needs another reply.
 */
export const QuestionCorrection: SecondFileParts['QuestionCorrection'] = (
  question,
  { replies, locked = [] },
  insertions,
  quiz,
) => {
  const isBlank = replyPartsOf(replies, question).length === 0
  if (!isSeen(question, locked) || (isBlank && question.is_required !== false)) return null
  const correction = correctionOf(question, replies)
  return correction ? (
    <Verdict
      key="correction"
      correction={correction}
      question={question}
      insertions={insertions}
      quiz={quiz}
    />
  ) : (
    []
  )
}

/**
 * Renders the corrections of a finished run that no page has shown: all of them at the moment 'end', and those of pages
 * that were left without the second file at the moment 'page'.
 */
export const EndCorrections = ({ snapshot, run, insertions }: EndProps) => {
  const { is_finished, replies, locked = [] } = run
  const { quiz, questions } = snapshot
  if (!is_finished || !quiz.shows_corrections) return null
  const corrections = correctionsOf(questions, replies)
  const unseen = corrections.filter(({ question_id }) => !locked.includes(question_id))
  if (unseen.length === 0) return null
  const byId = new Map(questions.map((question) => [question.id, question]))
  return (
    <section className="q-corrections" aria-label="Corrections">
      <h2 className="q-question">Corrections</h2>
      <p className="q-score">{correctionsSummary(corrections)}</p>
      <ol>
        {unseen.map((correction) => {
          const question = byId.get(correction.question_id)
          return (
            question && (
              <li key={question.id}>
                <CreatorText className="q-question" text={question.text} insertions={insertions} />
                <Verdict
                  correction={correction}
                  question={question}
                  insertions={insertions}
                  quiz={quiz}
                />
              </li>
            )
          )
        })}
      </ol>
    </section>
  )
}

type VerdictProps = {
  correction: Correction
  question: RichQuestion
  insertions: Insertions | null
  quiz: WordingSettings
}

/** Renders a verdict in words and sign, the chosen and the right answers, and the explanation. */
const Verdict = ({
  correction: { verdict, answers, other },
  question,
  insertions,
  quiz,
}: VerdictProps) => (
  <div className={`q-correction q-${verdict}`}>
    <p>
      <Sign sign={VERDICT_SIGNS[verdict]} />
      <strong>{VERDICT_LABELS[verdict]}</strong>
    </p>
    <ul>
      {answers.map((answer) => {
        const mark = answerMark(answer)
        return (
          mark && (
            <Marked
              key={answer.id}
              text={answer.text}
              sign={mark.sign}
              label={parts.wordingOf(quiz, mark.label)}
            />
          )
        )
      })}
      {other !== undefined && (
        <Marked
          key="other"
          text={otherLabel(other)}
          sign={CHOSEN_WRONG.sign}
          label={parts.wordingOf(quiz, CHOSEN_WRONG.label)}
        />
      )}
    </ul>
    {question.explanation_text && (
      <CreatorText text={question.explanation_text} insertions={insertions} />
    )}
  </div>
)

/** Renders an answer with its mark. */
const Marked = ({ text, sign, label }: { text: string; sign: string; label: string }) => (
  <li>
    <Sign sign={sign} />
    <span>
      <span dir="auto">{text}</span>
      {` (${label})`}
    </span>
  </li>
)

/** Renders a sign, hidden from screen readers because the label after it has the same meaning. */
const Sign = ({ sign }: { sign: string }) => (
  <span className="q-sign" aria-hidden="true">
    {sign}
  </span>
)
