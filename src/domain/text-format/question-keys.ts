import {
  CONTACT_ROLES,
  LIMITS,
  type QuestionType,
  SCALE_MAXIMA,
  SCALE_MINIMA,
} from '#domain/common/vocabulary.ts'
import { canHaveRole } from '#domain/questionnaire/contact-roles.ts'
import {
  CHOICE_DEFAULTS,
  GRID_DEFAULTS,
  isScaleFrom0To10,
  SCALE_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import { isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import { byName, type Key, type Keys, keysOf } from './keys.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'
import { contactRole, limitedText, yesOrNo } from './values.ts'

/** Settings of questions in the text format. */

const TYPE_NAMES: Record<Exclude<QuestionType, 'multiple_choice' | 'scale'>, string> = {
  text: 'texte court',
  textarea: 'texte long',
  email: 'e-mail',
  phone: 'téléphone',
  number: 'nombre',
  date: 'date',
}
const TYPES = new Map(
  Object.entries(TYPE_NAMES).map(([type, name]) => [
    foldText(name),
    type as keyof typeof TYPE_NAMES,
  ]),
).set('email', 'email')

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
  const scale_min = SCALE_MINIMA.find((one) => one === Number(from))
  const scale_max = SCALE_MAXIMA.find((one) => one === Number(to))
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
    if (max_choices === CHOICE_DEFAULTS.max_choices) return null
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
export const DIMENSION_KEY = 'Dimension'
const CHOICE_ONLY: Key<QuestionRow>['only'] = {
  holds: isChoice,
  refusal: 'ne s’écrit que sous une question à choix',
}
const SCALE_ONLY: Key<QuestionRow>['only'] = {
  holds: ({ type }) => type === 'scale',
  refusal: 'ne s’écrit que sous une échelle',
}

const SCALE_FROM_0_TO_10_ONLY: Key<QuestionRow>['only'] = {
  holds: (row) => row.type === 'scale' && isScaleFrom0To10(row),
  refusal: 'ne s’écrit que sous une échelle de 0 à 10',
}

const POINTS_ONLY: Key<QuestionRow>['only'] = {
  holds: (row) => isChoice(row) || row.type === 'scale',
  refusal: 'ne s’écrit que sous une question à choix ou une échelle',
}

const ROLE_ONLY: Key<QuestionRow>['only'] = {
  holds: ({ type, contact_role }) =>
    CONTACT_ROLES.some((role) => canHaveRole(type, role) && (contact_role ?? role) === role),
  refusal:
    'ne s’écrit que sous un texte court (« prénom », « nom ») ou un téléphone (« téléphone »)',
}

/** Settings of a question. */
export const QUESTION_KEYS: Keys<QuestionRow> = byName([
  QUESTION_TYPE,
  question.setting(TIE_KEY, 'settles_ties', yesOrNo(false), CHOICE_ONLY),
  question.text('Nom court', 'label', limitedText(LIMITS.question_label)),
  question.text('Aide', 'help', limitedText(LIMITS.help)),
  question.setting('Obligatoire', 'is_required', yesOrNo(true)),
  question.setting('Autre', 'has_other', yesOrNo(CHOICE_DEFAULTS.has_other), CHOICE_ONLY),
  question.setting(
    'Ordre tiré au sort',
    'shuffles_answers',
    yesOrNo(CHOICE_DEFAULTS.shuffles_answers),
    CHOICE_ONLY,
  ),
  question.text('Libellé du début', 'scale_min_label', limitedText(LIMITS.scale_label), SCALE_ONLY),
  question.text(
    'Libellé de la fin',
    'scale_max_label',
    limitedText(LIMITS.scale_label),
    SCALE_ONLY,
  ),
  question.setting(
    'Compte dans le score',
    'counts_in_score',
    yesOrNo(SCALE_DEFAULTS.counts_in_score),
    SCALE_ONLY,
  ),
  question.setting(
    'Recommandation nette (NPS)',
    'shows_recommendation',
    yesOrNo(SCALE_DEFAULTS.shows_recommendation),
    SCALE_FROM_0_TO_10_ONLY,
  ),
  question.setting(
    DIMENSION_KEY,
    'dimension',
    { read: (text) => text, write: (text) => text },
    POINTS_ONLY,
  ),
  question.setting('Coordonnée', 'contact_role', contactRole, ROLE_ONLY),
  question.text('Grille', 'grid_title', limitedText(LIMITS.grid_title), POINTS_ONLY),
  question.setting(
    'Suite de la grille',
    'continues_grid',
    yesOrNo(GRID_DEFAULTS.continues_grid),
    POINTS_ONLY,
  ),
  question.text('Explication', 'explanation', limitedText(LIMITS.explanation), CHOICE_ONLY),
  question.setting(
    'Tout ou rien',
    'all_or_nothing',
    yesOrNo(CHOICE_DEFAULTS.all_or_nothing),
    CHOICE_ONLY,
  ),
])
