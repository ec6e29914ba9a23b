import type { ListedParticipant } from '#contract/statistics.ts'
import { distinctKeys } from './distinct-keys.ts'
import { NO_REPLY } from './format.ts'

/** What a participant answered, each under its question, in the order of the pages. */
export const AnswerList = ({ answers }: Pick<ListedParticipant, 'answers'>) => {
  const keys = distinctKeys(answers.map(({ question_text }) => question_text))
  return (
    <dl className="mt-2 flex flex-col gap-2">
      {answers.map(({ question_text, answer_text }, index) => (
        <div key={keys[index]}>
          <dt className="text-ink-2 wrap-anywhere" dir="auto">
            {question_text}
          </dt>
          <dd className="whitespace-pre-line wrap-anywhere" dir="auto">
            {answer_text || NO_REPLY}
          </dd>
        </div>
      ))}
    </dl>
  )
}
