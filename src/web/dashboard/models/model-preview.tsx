import type { ReactNode } from 'react'
import { isChoice, type Question } from '#domain/quiz.ts'
import { QUESTION_TYPE_NAMES } from '#web/editor/questions/question-words.ts'
import { factsOf, type Model } from './models.ts'

/** What is in a model: its results and questions; `children` are what can be done with it. */
export const ModelPreview = ({ model, children }: { model: Model; children: ReactNode }) => {
  const { quiz, results, questions } = model.draft
  return (
    <article className="flex flex-col gap-5">
      <div>
        <h3 className="text-lg font-semibold text-balance">{quiz.name}</h3>
        <p className="mt-1 text-ink-2">{model.purpose}</p>
        <p className="mt-1 text-sm text-ink-2">{factsOf(model.draft)}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
      {results.length > 0 && (
        <section>
          <h4 className="font-medium">{`${results.length} résultats`}</h4>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            {results.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h4 className="font-medium">{`${questions.length} questions`}</h4>
        <ol className="mt-2 flex list-decimal flex-col gap-3 pl-5">
          {questions.map((question) => (
            <li key={question.id}>
              {question.text}
              <p className="text-sm text-ink-2">{answersOf(question)}</p>
            </li>
          ))}
        </ol>
      </section>
    </article>
  )
}

/** How a question is answered, in a line. */
const answersOf = (question: Question): string => {
  if (isChoice(question)) return question.answers.map(({ text }) => text).join(' · ')
  if (question.type !== 'scale') return QUESTION_TYPE_NAMES[question.type]
  const { scale_min, scale_max, scale_min_label, scale_max_label } = question
  const ends = [scale_min_label, scale_max_label].filter((end) => end !== null)
  const named = ends.length > 0 ? ` (${ends.join(' – ')})` : ''
  return `De ${scale_min} à ${scale_max}${named}`
}
