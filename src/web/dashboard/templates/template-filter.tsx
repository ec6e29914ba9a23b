import { useId } from 'react'
import { TEMPLATE_GOALS, type TemplateGoal } from '#domain/templates/templates.ts'

/** Shows the goals of templates as one row of choices; null means all templates. */
export const TemplateFilter = ({
  goal,
  onChoose,
}: {
  goal: TemplateGoal | null
  onChoose: (goal: TemplateGoal | null) => void
}) => {
  const name = useId()
  const choices: (readonly [TemplateGoal | null, string])[] = [[null, 'Tous'], ...TEMPLATE_GOALS]
  return (
    <fieldset>
      <legend className="sr-only">But du questionnaire</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map(([value, label]) => (
          <label
            key={label}
            className="inline-flex min-h-9 items-center rounded-full border border-line bg-card px-3.5 text-sm text-ink-2 outline-offset-2 outline-brand hover:bg-press has-checked:border-brand has-checked:bg-brand-wash has-checked:font-medium has-checked:text-brand has-focus-visible:outline-2 pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              checked={goal === value}
              onChange={() => onChoose(value)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
