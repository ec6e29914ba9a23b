/** @jsxImportSource #web/player */
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { replyFault, replyPartsOf } from '#domain/run/replies.ts'
import { fillInsertions, type Insertions } from '#domain/run/rich-text.ts'
import { replyFaultMessage } from '#domain/run/submission-checks.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'

type MissingProps = {
  quiz: WordingSettings
  questions: SnapshotQuestion[]
  replies: Replies
  insertions: Insertions
}

/**
 * Shows the error of the first invalid reply, or the number of questions without an answer. Links to the question.
 */
export const MissingReplies = ({ quiz, questions, replies, insertions }: MissingProps) => {
  for (const question of questions) {
    const fault = replyPartsOf(replies, question).length > 0 && replyFault(question, replies)
    if (!fault) continue
    const text = fillInsertions(question.text, insertions)
    return (
      <>
        {`${replyFaultMessage({ ...question, text }, fault)}. `}
        <a href={`#q-${question.id}`}>Modifier cette réponse</a>
      </>
    )
  }
  return <Unanswered quiz={quiz} questions={questions} insertions={insertions} />
}

const Unanswered = ({ quiz, questions, insertions }: Omit<MissingProps, 'replies'>) => (
  <>
    {`${
      questions.length === 1
        ? 'Une question est sans réponse.'
        : `${questions.length} questions sont sans réponse.`
    } ${wordingOf(quiz, 'Répondez-y pour continuer :')} `}
    <a href={`#q-${questions[0]?.id}`} dir="auto">
      {fillInsertions(questions[0]?.text ?? '', insertions)}
    </a>
  </>
)
