import type { Figures } from '#contract/figures.ts'
import type { QuestionStats } from '#domain/statistics.ts'
import { CountLines } from './count-lines.tsx'
import type { Filters } from './filters.ts'
import { formatPercentage, formatReach } from './format.ts'
import { NumberFigure } from './number-figure.tsx'
import { OpenTexts } from './open-texts.tsx'
import { OtherTexts } from './other-texts.tsx'
import { ScaleFigure } from './scale-figure.tsx'

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
    {Object.entries(stats).map(([id, { question_text, answers }]) => {
      const figure = figures?.questions[id]
      return (
        <article key={id} className="rounded-xl border border-line p-4">
          <h3 className="font-medium wrap-anywhere">{question_text}</h3>
          {figure && figures && (
            <p className="mt-1 text-xs text-ink-3 tabular-nums">
              {formatReach(figure, figures.nb_participants)}
            </p>
          )}
          {figure?.takes_several && (
            <p className="mt-1 text-xs text-ink-3">
              Plusieurs réponses possibles : le total peut dépasser 100&nbsp;%.
            </p>
          )}
          <CountLines
            lines={answers.map(({ answer_text, ...line }) => ({ text: answer_text, ...line }))}
            formatCount={({ count, percentage }) =>
              `${count} réponse(s) · ${formatPercentage(percentage)}`
            }
          />
          {figure && <More figure={figure} {...{ quizId, filters, id }} question={question_text} />}
        </article>
      )
    })}
  </section>
)

type MoreProps = Pick<Props, 'quizId' | 'filters'> & {
  id: string
  question: string
  figure: Figures['questions'][string]
}

/** What a question has beside its counts: its numbers, or its texts. */
const More = ({ quizId, filters, id, question, figure }: MoreProps) => {
  const { type, numbers, others } = figure
  const texts = { quizId, questionId: id, question, filters }
  if (type === 'scale') return <ScaleFigure figure={figure} />
  if (type === 'date') return null
  if (type === 'multiple_choice')
    return others.length > 0 && <OtherTexts others={others} {...texts} />
  return (
    <>
      {numbers && (
        <div className="mt-4 border-t border-line pt-4">
          <NumberFigure
            title={`Nombres donnés à « ${question} »`}
            of="Nombre"
            summary={numbers}
            total={figure.nb_seen}
          />
        </div>
      )}
      <OpenTexts {...texts} />
    </>
  )
}
