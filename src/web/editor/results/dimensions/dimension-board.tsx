import { useId } from 'react'
import { type Dimension, nameOfDimension } from '#domain/questionnaire/dimensions.ts'
import { dimensionFieldId } from '#web/editor/fields/field-ids.ts'
import { Select } from '#web/ui/form/select.tsx'
import type { ChangeDimensions } from './change-dimensions.ts'
import { pointsLabel, questionTitle, type ScoredQuestion } from './dimension-figures.ts'

const NONE = ''

/** Classes of a row. On phones, its third cell is on a second line, because a dimension's name needs the whole width. */
const ROW = 'max-sm:grid max-sm:grid-cols-[1fr_5rem]'

/** Shows which question counts in which dimension, with its possible points. A question can be assigned here. */
export const DimensionBoard = ({
  dimensions,
  questions,
  change,
}: {
  dimensions: readonly Dimension[]
  questions: readonly ScoredQuestion[]
  change: ChangeDimensions
}) => {
  const heading_id = useId()
  const options = [
    { value: NONE, label: 'Aucune' },
    ...dimensions.map(({ id }) => ({ value: id, label: nameOfDimension(dimensions, id) })),
  ]
  return (
    <section aria-labelledby={heading_id} className="flex flex-col gap-2">
      <h3 id={heading_id} className="text-sm font-semibold">
        Questions de chaque dimension
      </h3>
      {questions.length === 0 ? (
        <p className="text-sm text-ink-2">
          Aucune question à choix ni échelle pour l’instant : ajoutez-les à l’étape 2.
        </p>
      ) : (
        <table className="w-full table-fixed text-sm max-sm:block">
          <caption className="sr-only">Dimension et points possibles de chaque question</caption>
          <thead className="max-sm:block">
            <tr className={`${ROW} text-left text-xs text-ink-2`}>
              <th scope="col" className="py-1 pr-2 font-medium">
                Question
              </th>
              <th scope="col" className="py-1 font-medium sm:w-32 sm:pr-2">
                Points
              </th>
              <th scope="col" className="py-1 font-medium max-sm:sr-only sm:w-2/5">
                Dimension
              </th>
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {questions.map((row) => (
              <tr key={row.question.id} className={`${ROW} border-t border-line align-top`}>
                <th
                  scope="row"
                  className="py-2 pr-2 text-left font-normal wrap-anywhere"
                  dir="auto"
                >
                  {questionTitle(row)}
                </th>
                <td className="py-2 tabular-nums sm:pr-2">
                  {pointsLabel(row.range)}
                  {row.question.type === 'scale' && !row.question.counts_in_score && (
                    <span className="block text-xs text-ink-2">hors du total</span>
                  )}
                </td>
                <td className="py-1 max-sm:col-span-2">
                  <Select
                    id={dimensionFieldId(row.question.id, 'of-question')}
                    label={`Dimension – ${questionTitle(row)}`}
                    hideLabel
                    value={row.question.dimension_id ?? NONE}
                    options={options}
                    onChange={(id) =>
                      change({
                        type: 'question_assigned',
                        question_id: row.question.id,
                        dimension_id: id || null,
                      })
                    }
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="text-xs text-ink-2">
        Le pourcentage d’une dimension compare les points obtenus aux points possibles de ses
        questions répondues. Une question passée ou laissée vide ne compte pas ; une dimension sans
        réponse n’est pas montrée. Une échelle compte ici même hors du total.
      </p>
    </section>
  )
}
