import { Fragment } from 'react'
import type { Figures } from '#contract/statistics/figures.ts'
import type { QuestionStats } from '#domain/statistics/question-figures.ts'
import { BarChart, type BarLine } from '#web/statistics/charts/bar-chart.tsx'
import { ColumnChart } from '#web/statistics/charts/column-chart.tsx'
import type { Filters, FilterToggles } from '#web/statistics/filters/filters.ts'
import { formatPercentageOf, formatReach, formatReplies } from '#web/statistics/format/format.ts'
import { GridCard } from './grid-card.tsx'
import { NumberFigure, ScaleFigure } from './number-figure.tsx'
import { OpenAnswers, OtherTexts } from './open-texts.tsx'

type Props = {
  quizId: string
  filters: Filters
  toggles: FilterToggles
  stats: Record<string, QuestionStats>
  figures: Figures | undefined
  /** True if the counts leave out replies, as on a shared page. */
  hidesReplies?: boolean
}

/** Renders the count of each answer, by question (product 10.4). */
export const QuestionStatisticsSection = ({ stats, figures, ...rest }: Props) => (
  <section aria-labelledby="global-statistics" className="flex min-w-0 flex-col gap-4">
    <h2 id="global-statistics" tabIndex={-1} className="text-lg font-semibold">
      Statistiques globales
    </h2>
    <div className="grid min-w-0 items-start gap-5 lg:grid-cols-2">
      {Object.entries(stats).map(([id, stat]) => {
        const figure = figures?.questions[id]
        const grid = figures?.grids.find(({ questions }) => questions[0] === id)
        return (
          <Fragment key={id}>
            {grid && figures && <GridCard grid={grid} stats={stats} figures={figures} />}
            <article className="flex min-w-0 break-inside-avoid flex-col rounded-xl bg-card p-4 shadow-card sm:p-5">
              <h3 className="font-medium wrap-anywhere" dir="auto">
                {stat.question_text}
              </h3>
              {figure && figures && (
                <>
                  <p className="mt-1 text-xs text-ink-3 tabular-nums">
                    {formatReach(figure, figures.nb_participants)}
                  </p>
                  <Picture id={id} {...stat} {...rest} figure={figure} figures={figures} />
                </>
              )}
            </article>
          </Fragment>
        )
      })}
    </div>
  </section>
)

type Figure = Figures['questions'][string]
type PictureProps = Pick<Props, 'quizId' | 'filters' | 'toggles' | 'hidesReplies'> &
  QuestionStats & { id: string; figure: Figure; figures: Figures }

/** Renders the answers to a question as bars, columns, or a list of texts. */
const Picture = (props: PictureProps) => {
  const { quizId, filters, id, question_text: question, answers, figure } = props
  const texts = { quizId, questionId: id, question, filters }
  if (props.hidesReplies && answers.length === 0)
    return <p className="mt-2 text-ink-2">{hiddenText(figure)}</p>
  switch (figure.type) {
    case 'multiple_choice':
      return <Choices {...props} />
    case 'scale':
      return <ScaleFigure question={question} figure={figure} answers={answers} />
    case 'date':
      return <Months {...props} />
    case 'number':
      return (
        <>
          {figure.numbers && (
            <div className="mt-3">
              <NumberFigure
                title={`Nombres donnés à « ${question} »`}
                noun="Nombre"
                summary={figure.numbers}
                total={figure.nb_seen}
              />
            </div>
          )}
          <OpenAnswers {...texts} answers={answers} figure={figure} />
        </>
      )
    default:
      return <OpenAnswers {...texts} answers={answers} figure={figure} />
  }
}

const hiddenText = ({ type }: Figure): string =>
  type === 'multiple_choice' || type === 'scale'
    ? 'Trop peu de réponses pour être montrées.'
    : 'Ce que les participants ont écrit n’est pas partagé.'

/** Returns the bar of an answer. Its share refers to the participants who answered. */
const lineOf = (
  { answer_text, earlier_texts = [], count }: QuestionStats['answers'][number],
  nb_answered: number,
): BarLine => ({
  text: answer_text,
  note: earlier_texts.length > 0 ? `avant : ${earlier_texts.join(' · ')}` : undefined,
  count,
  figureText: `${formatReplies(count)} · ${formatPercentageOf(count, nb_answered)}`,
})

const Choices = ({ toggles, figure, answers, ...rest }: PictureProps) => {
  const { quizId, filters, id, question_text: question } = rest
  return (
    <>
      {figure.takes_several && (
        <p className="mt-1 text-xs text-ink-3">
          Plusieurs réponses possibles : le total peut dépasser 100&nbsp;%.
        </p>
      )}
      <BarChart
        toolbarLabel={`Filtrer par une réponse à « ${question} »`}
        total={figure.nb_answered}
        lines={answers.map((answer) => ({
          ...lineOf(answer, figure.nb_answered),
          filter: toggles.byChoice('answer', answer.filter, answer.count),
        }))}
      />
      {figure.others.length > 0 && (
        <OtherTexts
          others={figure.others}
          quizId={quizId}
          questionId={id}
          question={question}
          filters={filters}
        />
      )}
    </>
  )
}

/** Largest number of months shown as lines; more months are shown as columns, which take no more space. */
const MAX_LINES = 12

const Months = ({ question_text, answers, figure }: PictureProps) =>
  answers.length <= MAX_LINES ? (
    <BarChart
      toolbarLabel=""
      total={figure.nb_answered}
      lines={answers.map((answer) => lineOf(answer, figure.nb_answered))}
    />
  ) : (
    <div className="mt-3">
      <ColumnChart
        title={question_text}
        noun="Mois"
        total={figure.nb_answered}
        maxTicks={3}
        columns={answers.map(({ answer_text, count }) => ({ label: answer_text, count }))}
      />
    </div>
  )
