import type { Figures } from '#contract/figures.ts'
import { isChoice } from '#domain/quiz.ts'
import type { QuestionStats } from '#domain/statistics.ts'
import { CountLines } from './count-lines.tsx'
import type { Filters } from './filters.ts'
import { formatPercentage, formatShare } from './format.ts'
import { NumberFigure } from './number-figure.tsx'
import { OpenTexts } from './open-texts.tsx'

type Props = {
  quizId: string
  filters: Filters
  stats: Record<string, QuestionStats>
  figures: Figures | undefined
}

/** The count of each answer, by question (spec §2 « Statistiques globales »). */
export const GlobalStatistics = ({ quizId, filters, stats, figures }: Props) => (
  <section aria-labelledby="global-statistics" className="flex flex-col gap-4">
    <h2 id="global-statistics" className="text-lg font-semibold">
      Statistiques globales
    </h2>
    {Object.entries(stats).map(([id, question]) => {
      const figure = figures?.questions[id]
      return (
        <article key={id} className="rounded-xl border border-line p-4">
          <h3 className="font-medium wrap-anywhere">{question.question_text}</h3>
          {figure && figures && (
            <p className="mt-1 text-xs text-ink-3 tabular-nums">
              {formatShare(figure.nb_participants, figures.nb_participants)} ont répondu à cette
              question
            </p>
          )}
          <CountLines
            lines={question.answers.map(({ answer_text, ...line }) => ({
              text: answer_text,
              ...line,
            }))}
            formatCount={({ count, percentage }) =>
              `${count} réponse(s) · ${formatPercentage(percentage)}`
            }
          />
          {figure?.numbers && (
            <div className="mt-4 border-t border-line pt-4">
              <NumberFigure
                title={`Nombres donnés à « ${question.question_text} »`}
                of="Nombre"
                summary={figure.numbers}
                total={figure.nb_participants}
              />
            </div>
          )}
          {figure && !isChoice(figure) && (
            <OpenTexts
              quizId={quizId}
              questionId={id}
              question={question.question_text}
              filters={filters}
            />
          )}
        </article>
      )
    })}
  </section>
)
