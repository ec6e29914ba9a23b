import {
  LIMITS,
  MAX_WHOLE_NUMBER,
  type QuestionType,
  SCALE_MAXIMA,
  SCALE_MINIMA,
} from '#domain/common/vocabulary.ts'
import {
  CHOICE_DEFAULTS,
  type Draft,
  isChoice,
  type Question,
  type Quiz,
  type Result,
  SCALE_DEFAULTS,
} from '#domain/questionnaire/quiz.ts'
import { THEMES } from '#domain/questionnaire/themes.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'
import {
  type Codec,
  color,
  consentMode,
  corners,
  filledWords,
  font,
  imageId,
  linkAddress,
  moment,
  mostResponses,
  parameterNames,
  quizMode,
  quizType,
  readNumber,
  slug,
  tieRule,
  words,
  yesOrNo,
} from './values.ts'

/** The settings that a line « Clé : valeur » may give, once for reading and printing (docs/text-format.md). */

/** One of them: what it sets of its row, and how the row's own is written; null is no line. */
export type Key<Row> = {
  key: string
  /** A word; a text, which may have several lines; or the long text of its part, which needs no key. */
  kind: 'word' | 'text' | 'long'
  read: (text: string) => Partial<Row>
  write: (row: Row) => string | null
  /** For which rows it is, and what is said of others. */
  only?: { holds: (row: Row) => boolean; refusal: string }
}
/** Those that a part may have, in the order of print, by their folded names. */
export type Keys<Row> = ReadonlyMap<string, Key<Row>>
/** The quiz as the lines below its name set it. */
export type HeadRow = Quiz & Pick<Draft, 'quiz_mode'>

const keysOf = <Row>() => {
  const setting = <Name extends keyof Row>(
    key: string,
    field: Name,
    { read, write }: Codec<Row[Name]>,
    only?: Key<Row>['only'],
  ): Key<Row> => ({
    key,
    kind: 'word',
    read: (text) => ({ [field]: read(text) }) as unknown as Partial<Row>,
    write: (row) => write(row[field]),
    ...(only && { only }),
  })
  const text = <Name extends keyof Row>(
    key: string,
    field: Name,
    codec: Codec<Row[Name]>,
    only?: Key<Row>['only'],
  ): Key<Row> => ({ ...setting(key, field, codec, only), kind: 'text' })
  const long = <Name extends keyof Row>(
    key: string,
    field: Name,
    codec: Codec<Row[Name]>,
  ): Key<Row> => ({ ...setting(key, field, codec), kind: 'long' })
  return { setting, text, long }
}

const byName = <Row>(keys: readonly Key<Row>[]): Keys<Row> =>
  new Map(keys.map((key) => [foldText(key.key), key]))

export const NO_KEYS: Keys<object> = byName<object>([])
const quiz = keysOf<HeadRow>()
/** What gives a quiz its address, which the server may refuse. */
export const SLUG_KEY = 'Adresse du questionnaire'

/** Returns the settings below the name of a quiz; times are local to `time_zone`. */
export const headKeys = (time_zone: string): Keys<HeadRow> =>
  byName([
    quiz.setting('Type', 'type', quizType),
    quiz.setting('Mode', 'quiz_mode', quizMode),
    quiz.setting('Égalités', 'tie_rule', tieRule),
    quiz.setting('Détail du résultat', 'shows_detail', yesOrNo(false)),
    quiz.setting('Recommencer', 'allows_restart', yesOrNo(false)),
    quiz.setting('Accord', 'consent_mode', consentMode),
    quiz.text('Texte de l’accord', 'consent_text', filledWords(LIMITS.consent_text)),
    quiz.setting(SLUG_KEY, 'slug', slug),
    quiz.setting('Clôture', 'closes_at', moment(time_zone)),
    quiz.setting('Participants au plus', 'max_responses', mostResponses),
    quiz.text('Texte de clôture', 'closed_text', words(LIMITS.closed_text)),
    quiz.setting('Paramètres', 'parameters', parameterNames),
  ])

export const WELCOME_KEYS: Keys<HeadRow> = byName([
  quiz.text('Titre', 'welcome_title', words(LIMITS.title)),
  quiz.text('Bouton', 'welcome_button', words(LIMITS.button_text)),
  quiz.long('Texte', 'welcome_text', words(LIMITS.description)),
])

export const END_KEYS: Keys<HeadRow> = byName([
  quiz.text('Titre', 'end_title', words(LIMITS.title)),
  quiz.long('Texte', 'end_text', words(LIMITS.description)),
  quiz.text('Bouton', 'end_button_text', words(LIMITS.button_text)),
  quiz.text('Adresse du bouton', 'end_button_url', linkAddress),
])

/** A ready look, by its name; what a quiz has of it is written colour by colour. */
const THEME: Key<HeadRow> = {
  key: 'Thème',
  kind: 'word',
  read: (text) => {
    const found = THEMES.find(({ name }) => foldText(name) === foldText(text))
    if (found) return found.look
    const listed = THEMES.map(({ name }) => quoted(name)).join(', ')
    throw new TextSyntaxError(`${quoted(text)} n’est le nom d’aucun thème : ${listed}.`)
  },
  write: () => null,
}

export const LOOK_KEYS: Keys<HeadRow> = byName([
  THEME,
  quiz.setting('Police', 'font', font),
  quiz.setting('Coins', 'corners', corners),
  quiz.setting('Fond', 'bg_color', color),
  quiz.setting('Texte', 'text_color', color),
  quiz.setting('Bouton', 'button_color', color),
  quiz.setting('Texte du bouton', 'button_text_color', color),
  quiz.setting('Accent', 'accent_color', color),
  quiz.setting('Logo', 'logo_image_id', imageId),
  quiz.setting('Image de fond', 'background_image_id', imageId),
])

const result = keysOf<Result>()

const TIER: Key<Result> = {
  key: 'Palier',
  kind: 'word',
  read: (text) => {
    const [, from, to] = /^(\d+|\?) ?(?:a|-|–) ?(\d+|\?)$/.exec(foldText(text)) ?? []
    const expected = '« Palier » attend deux nombres, par exemple « 0 à 5 ».'
    if (from === undefined || to === undefined) throw new TextSyntaxError(expected)
    const bound = (said: string): number | null =>
      said === '?' ? null : readNumber(said, { least: 0, most: MAX_WHOLE_NUMBER, expected })
    return { min_score: bound(from), max_score: bound(to) }
  },
  write: ({ min_score, max_score }) =>
    min_score === null && max_score === null ? null : `${min_score ?? '?'} à ${max_score ?? '?'}`,
}

export const RESULT_KEYS: Keys<Result> = byName([
  TIER,
  result.long('Description', 'description', words(LIMITS.description)),
  result.text('Bouton', 'button_text', words(LIMITS.button_text)),
  result.text('Adresse du bouton', 'button_url', linkAddress),
  result.text('Redirection', 'redirect_url', linkAddress),
])

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

const readAsked = (text: string): Partial<Question> | undefined => {
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

const ASKED: Key<QuestionRow> = {
  key: 'Réponse',
  kind: 'word',
  read: (text) => {
    const asked = readAsked(text)
    if (asked) return asked
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

/** A question, and whether the quiz has it settle ties. */
export type QuestionRow = Question & { settles_ties: boolean }
const question = keysOf<QuestionRow>()

/** At most one question has it. */
export const TIE_KEY = 'Départage'
const CHOICE_ONLY: Key<QuestionRow>['only'] = {
  holds: isChoice,
  refusal: 'ne s’écrit que sous une question à choix',
}
const SCALE_ONLY: Key<QuestionRow>['only'] = {
  holds: ({ type }) => type === 'scale',
  refusal: 'ne s’écrit que sous une échelle',
}

export const QUESTION_KEYS: Keys<QuestionRow> = byName([
  ASKED,
  question.setting(TIE_KEY, 'settles_ties', yesOrNo(false), CHOICE_ONLY),
  question.text('Nom court', 'label', words(LIMITS.question_label)),
  question.text('Aide', 'help', words(LIMITS.help)),
  question.setting('Obligatoire', 'is_required', yesOrNo(true)),
  question.setting('Autre', 'has_other', yesOrNo(CHOICE_DEFAULTS.has_other), CHOICE_ONLY),
  question.setting(
    'Ordre tiré au sort',
    'shuffles_answers',
    yesOrNo(CHOICE_DEFAULTS.shuffles_answers),
    CHOICE_ONLY,
  ),
  question.text('Libellé du début', 'scale_min_label', words(LIMITS.scale_label), SCALE_ONLY),
  question.text('Libellé de la fin', 'scale_max_label', words(LIMITS.scale_label), SCALE_ONLY),
  question.setting(
    'Compte dans le score',
    'counts_in_score',
    yesOrNo(SCALE_DEFAULTS.counts_in_score),
    SCALE_ONLY,
  ),
])
