import type { Figures } from '#contract/statistics/figures.ts'
import { BarChart } from '#web/statistics/charts/bar-chart.tsx'
import { formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'
import { FigureCard } from './figure-card.tsx'

/** Percentage of a full bar. */
const WHOLE = 100

/** Renders the share of right replies to each corrected question, hardest first; nothing without such questions. */
export const RightAnswers = ({
  figures: { right_answers },
}: {
  figures: Pick<Figures, 'right_answers'>
}) => {
  if (right_answers.length === 0) return null
  return (
    <FigureCard id="right-answers" title="Bonnes réponses">
      <p className="text-ink-2">
        Part des participants qui ont répondu juste parmi ceux qui ont vu la question, de la plus
        difficile à la plus facile. Une question laissée sans réponse n’est pas juste.
      </p>
      <BarChart
        toolbarLabel="Bonnes réponses"
        isPlain
        total={WHOLE}
        lines={right_answers.map(({ question_text, nb_asked, nb_right }) => ({
          text: question_text,
          count: (nb_right * WHOLE) / nb_asked,
          figureText: `${formatShare(nb_right, nb_asked)} · ${formatPercentageOf(nb_right, nb_asked)}`,
        }))}
      />
    </FigureCard>
  )
}
