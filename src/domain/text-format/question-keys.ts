import { LIMITS, type QuestionType, SCALE_MAXIMA, SCALE_MINIMA } from '#domain/common/vocabulary.ts'
import { namesOf } from '#domain/questionnaire/fields/field.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { fieldKeys, USES } from './field-keys.ts'
import { byName, type Key, type Keys, keysOf } from './key.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'
import { yesOrNo } from './values.ts'

/** Settings of questions in the text format. */

const TYPE_NAMES: Record<Exclude<QuestionType, 'multiple_choice' | 'scale'>, string> = {
  text: 'texte court',
  textarea: 'texte long',
  email: 'email',
  phone: 'téléphone',
  number: 'nombre',
  date: 'date',
}
const TYPES = new Map(
  Object.entries(TYPE_NAMES).map(([type, name]) => [
    foldText(name),
    type as keyof typeof TYPE_NAMES,
  ]),
).set('e-mail', 'email')

const CHOICES = /^(?:jusqu'a )?(\d{1,3}) choix(?: au plus)?$/
const SCALE = /^echelle(?: de)? (\d) ?(?:a|-|–) ?(\d{1,2})$/

/** Values of « Réponse », with one example for each number. */
export const REPLY_KINDS: readonly string[] = [
  ...['choix', 'jusqu’à 3 choix', 'plusieurs choix', 'échelle de 0 à 10'],
  ...Object.values(TYPE_NAMES),
]

const readQuestionType = (text: string): Partial<Question> | undefined => {
  const folded = foldText(text)
  const type = TYPES.get(folded)
  if (type) return { type }
  if (folded === 'choix') return { type: 'multiple_choice', max_choices: 1 }
  if (folded === 'plusieurs choix') return { type: 'multiple_choice', max_choices: null }
  const [, count] = CHOICES.exec(folded) ?? []
  const max_choices = Number(count)
  if (max_choices >= 1 && max_choices <= LIMITS.answers_per_question)
    return { type: 'multiple_choice', max_choices }
  if (folded === 'echelle') return { type: 'scale' }
  const [, from, to] = SCALE.exec(folded) ?? []
  const scale_min = SCALE_MINIMA.find((minimum) => minimum === Number(from))
  const scale_max = SCALE_MAXIMA.find((maximum) => maximum === Number(to))
  if (scale_min === undefined || scale_max === undefined) return undefined
  return { type: 'scale', scale_min, scale_max }
}

const QUESTION_TYPE: Key<QuestionRow> = {
  key: 'Réponse',
  kind: 'word',
  read: (text) => {
    const type = readQuestionType(text)
    if (type) return type
    const listed = Object.values(TYPE_NAMES).map(quoted).join(', ')
    throw new TextSyntaxError(
      `${quoted(text)} n’est pas prévu : « choix », « jusqu’à 3 choix », « plusieurs choix », « échelle de 0 à 10 » (de 0 ou 1 à 5, 7 ou 10), ${listed}.`,
    )
  },
  write: ({ type, max_choices, scale_min, scale_max }) => {
    if (type === 'scale') return `échelle de ${scale_min} à ${scale_max}`
    if (type !== 'multiple_choice') return TYPE_NAMES[type]
    if (max_choices === OPTION_FIELDS.max_choices.default) return null
    return max_choices === null ? 'plusieurs choix' : `jusqu’à ${max_choices} choix`
  },
}

/** Question, with true in `settles_ties` if it is the tie question. */
export type QuestionRow = Question & {
  settles_ties: boolean
  /** Reference to its dimension as written: a name, or `#2` for a rank. Null means none. */
  dimension: string | null
}
const question = keysOf<QuestionRow>()

/** Name of the tie question setting, which at most one question has. */
export const TIE_KEY = 'Départage'
/** Name of the setting with the dimension of a question. */
export const DIMENSION_KEY = OPTION_FIELDS.dimension_id.label
const DIMENSION = question.setting(
  DIMENSION_KEY,
  'dimension',
  { read: (text) => text, write: (text) => text },
  USES.points,
)

/** Settings of a question. The dimension is written by its name, in the place of its field. */
export const QUESTION_KEYS: Keys<QuestionRow> = byName([
  QUESTION_TYPE,
  question.setting(TIE_KEY, 'settles_ties', yesOrNo(false), USES.choice),
  ...namesOf(OPTION_FIELDS).flatMap((name) =>
    name === 'dimension_id' ? DIMENSION : fieldKeys<QuestionRow>({ [name]: OPTION_FIELDS[name] }),
  ),
])
