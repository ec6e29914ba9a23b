import type { QuestionStats } from '#domain/statistics.ts'
import { distinctKeys } from './distinct-keys.ts'
import { formatPercentage } from './format.ts'
import './statistics.css'

/** How often each answer was given, question by question (spec §2 « Statistiques globales »). */
export const GlobalStatistics = ({ stats }: { stats: Record<string, QuestionStats> }) => (
  <section aria-labelledby="global-statistics" className="flex flex-col gap-4">
    <h2 id="global-statistics" className="text-lg font-semibold">
      Statistiques globales
    </h2>
    {Object.entries(stats).map(([id, question]) => (
      <Question key={id} question={question} />
    ))}
  </section>
)

const Question = ({ question: { question_text, answers } }: { question: QuestionStats }) => {
  const keys = distinctKeys(answers.map(({ answer_text }) => answer_text))
  const counts = answers.map(({ count }) => count)
  const most = Math.max(...counts)
  // Where all are equal, none stands out.
  const isBest = (count: number): boolean => count === most && Math.min(...counts) < most
  return (
    <article className="rounded-xl border border-line p-4">
      <h3 className="font-medium wrap-anywhere">{question_text}</h3>
      <ul className="mt-3 flex flex-col gap-3">
        {answers.map(({ answer_text, count, percentage }, index) => (
          <li key={keys[index]}>
            <p
              className={`flex flex-wrap items-baseline justify-between gap-x-4 ${isBest(count) ? 'font-semibold' : ''}`}
            >
              <span className="min-w-0 wrap-anywhere">{answer_text}</span>
              <span className="ml-auto text-ink-2 tabular-nums">
                {count} réponse(s) · {formatPercentage(percentage)}
              </span>
            </p>
            <Bar percentage={percentage} />
          </li>
        ))}
      </ul>
    </article>
  )
}

const Bar = ({ percentage }: { percentage: number }) => (
  <div aria-hidden="true" className="mt-1 h-2 overflow-hidden rounded-full bg-press">
    <div
      className="statistics-bar h-full rounded-full bg-brand"
      style={{ width: `${percentage}%` }}
    />
  </div>
)
