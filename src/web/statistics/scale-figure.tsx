import type { Figures } from '#contract/figures.ts'
import { sharesOf } from '#domain/shares.ts'
import type { QuestionStats } from '#domain/statistics.ts'
import { Columns } from './charts/columns.tsx'
import { FigureList } from './figure-list.tsx'
import { formatNumber, formatShare, formatShareOf } from './format.ts'

type Figure = Figures['questions'][string]
type Props = {
  question: string
  figure: Pick<Figure, 'numbers' | 'recommendation' | 'nb_answered'>
  answers: QuestionStats['answers']
}

/** A scale as columns, with its mean and, from 0 to 10, its net recommendation with the three groups. */
export const ScaleFigure = ({
  question,
  figure: { numbers, recommendation, nb_answered },
  answers,
}: Props) => (
  <div className="mt-3 flex flex-col gap-3">
    <Columns
      title={question}
      of="Note"
      total={nb_answered}
      columns={answers.map(({ answer_text, count }) => ({
        label: answer_text,
        count,
        color: recommendation ? groupColor(Number(answer_text)) : 0,
      }))}
    />
    {numbers && (
      <FigureList
        figures={[
          ['Moyenne', formatNumber(numbers.mean)],
          ['Médiane', formatNumber(numbers.median)],
          ...(recommendation ? groupsOf(recommendation) : []),
        ]}
      />
    )}
  </div>
)

const LEAST_PASSIVE = 7
const LEAST_PROMOTER = 9
/** The data colours of the three groups, which are named below the columns. */
const COLORS = { detractor: 1, passive: 6, promoter: 2 }

const groupColor = (note: number): number => {
  if (note >= LEAST_PROMOTER) return COLORS.promoter
  return note >= LEAST_PASSIVE ? COLORS.passive : COLORS.detractor
}

const groupsOf = ({
  net,
  nb_promoters,
  nb_passives,
  nb_detractors,
}: NonNullable<Figure['recommendation']>): [string, string][] => {
  const counts = [nb_promoters, nb_passives, nb_detractors]
  const total = nb_promoters + nb_passives + nb_detractors
  const [promoters = '', passives = '', detractors = ''] = sharesOf(counts).map((share, rank) => {
    const count = counts[rank] ?? 0
    return `${formatShare(count, total)} · ${formatShareOf(share, count)}`
  })
  return [
    ['Recommandation nette (NPS)', `${net > 0 ? '+' : ''}${formatNumber(net)}`],
    ['Promoteurs (9 et 10)', promoters],
    ['Passifs (7 et 8)', passives],
    ['Détracteurs (0 à 6)', detractors],
  ]
}
