import { groupOf } from './grids/arrange-grids.ts'
import { modeAfterEdit } from './mode.ts'
import { placeOf } from './pages.ts'
import { type Draft, isChoice, type Question, type QuestionOptions } from './quiz.ts'

/** Range of a scale, its labels and its net promoter score. */
export type ScaleOptions = Pick<
  QuestionOptions,
  'scale_min' | 'scale_max' | 'scale_min_label' | 'scale_max_label' | 'shows_recommendation'
>

/** Settings that several questions get in one step. An absent setting stays as it is. */
export type SharedSettings = Partial<
  Pick<QuestionOptions, 'dimension_id' | 'is_required' | 'counts_in_score'>
> & { scale?: Partial<ScaleOptions> }

/** Returns true if a question can belong to a dimension. */
export const canHavePoints = (question: Pick<Question, 'type'>): boolean =>
  isChoice(question) || question.type === 'scale'

/** Returns true if a question of this type has a setting. */
export const hasSetting = (
  question: Pick<Question, 'type'>,
  name: keyof SharedSettings,
): boolean => {
  if (name === 'is_required') return true
  return name === 'dimension_id' ? canHavePoints(question) : question.type === 'scale'
}

/**
 * Returns the draft in which the questions with these ids have the settings that their types allow. All rows of a grid
 * get the scale of a changed row. The first points set the mode (product 4.1).
 */
export const withSharedSettings = <D extends Draft>(
  draft: D,
  ids: readonly string[],
  { scale, ...options }: SharedSettings,
): D => {
  const selected = new Set(ids)
  const scaled = new Set(
    scale ? ids.flatMap((id) => groupOf(draft, id).map((row) => placeOf(row).id)) : [],
  )
  const questions = draft.questions.map((question) => {
    const isSelected = selected.has(question.id)
    const isScaled = scaled.has(question.id) && hasSetting(question, 'scale')
    if (!isSelected && !isScaled) return question
    return {
      ...question,
      ...(isSelected && optionsFor(question, options)),
      ...(isScaled && scale),
    }
  })
  return { ...draft, questions, quiz_mode: modeAfterEdit(draft.quiz_mode, questions) }
}

/** Returns the settings that the type of a question allows. */
const optionsFor = (
  question: Question,
  options: Omit<SharedSettings, 'scale'>,
): Partial<QuestionOptions> =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => hasSetting(question, name as keyof SharedSettings)),
  )
