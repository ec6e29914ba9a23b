import { LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import { THEMES } from '#domain/questionnaire/look/themes.ts'
import type { Draft, Quiz, Result } from '#domain/questionnaire/quiz.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'
import {
  addressForm,
  type Codec,
  certificatePercent,
  color,
  consentMode,
  corners,
  correctionMoment,
  filledText,
  font,
  imageId,
  limitedText,
  linkAddress,
  maxResponses,
  moment,
  parameterNames,
  quizMode,
  quizType,
  readNumber,
  report,
  slug,
  tieRule,
  yesOrNo,
} from './values.ts'

/** Settings « Clé : valeur » of the text format, for reading and printing (docs/text-format.md). */

/** Setting: name, reader into a row and writer; `write` returns null if the setting is omitted. */
export type Key<Row> = {
  key: string
  /** A word, a text of several lines, or the long text of a part, which needs no key. */
  kind: 'word' | 'text' | 'long'
  read: (text: string) => Partial<Row>
  write: (row: Row) => string | null
  /** Condition on the row, and the refusal for other rows. */
  only?: { holds: (row: Row) => boolean; refusal: string }
}
/** Settings of a part in printing order, by folded name. */
export type Keys<Row> = ReadonlyMap<string, Key<Row>>
/** Quiz with its mode, as the settings below its name set it. */
export type HeadRow = Quiz & Pick<Draft, 'quiz_mode'>

/** Returns builders of settings of a row. */
export const keysOf = <Row>() => {
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

/** Returns settings by their folded names. */
export const byName = <Row>(keys: readonly Key<Row>[]): Keys<Row> =>
  new Map(keys.map((key) => [foldText(key.key), key]))

/** No settings. */
export const NO_KEYS: Keys<object> = byName<object>([])
const quiz = keysOf<HeadRow>()
/** Name of the slug setting, which only the server can check completely. */
export const SLUG_KEY = 'Adresse du questionnaire'
/** Name of the setting of the opening date. The parser compares both dates at the end of the text. */
export const OPENING_KEY = 'Ouverture'

/** Returns the settings below the name of a quiz; times are local to `time_zone`. */
export const headKeys = (time_zone: string): Keys<HeadRow> =>
  byName([
    quiz.setting('Type', 'type', quizType),
    quiz.setting('Mode', 'quiz_mode', quizMode),
    quiz.setting('Égalités', 'tie_rule', tieRule),
    quiz.setting('Détail du résultat', 'shows_detail', yesOrNo(false)),
    quiz.setting('Recommencer', 'allows_restart', yesOrNo(false)),
    quiz.setting('Corrections', 'shows_corrections', correctionMoment),
    quiz.setting('Rapport', 'report', report),
    quiz.setting('Attestation à partir de', 'certificate_percent', certificatePercent),
    quiz.text('Titre de l’attestation', 'certificate_title', limitedText(LIMITS.title)),
    quiz.text('Texte de l’attestation', 'certificate_text', limitedText(LIMITS.certificate_text)),
    quiz.text(
      'Attestation délivrée par',
      'certificate_issuer',
      limitedText(LIMITS.certificate_issuer),
    ),
    quiz.setting('Avance automatique', 'auto_advance', yesOrNo(false)),
    quiz.setting('S’adresser avec', 'address_form', addressForm),
    quiz.text('Bouton suivant', 'next_label', limitedText(LIMITS.button_label)),
    quiz.text('Bouton précédent', 'back_label', limitedText(LIMITS.button_label)),
    quiz.text('Bouton de fin', 'finish_label', limitedText(LIMITS.button_label)),
    quiz.text('Bouton continuer', 'continue_label', limitedText(LIMITS.button_label)),
    quiz.text('Bouton recommencer', 'restart_label', limitedText(LIMITS.button_label)),
    quiz.text('Bouton de partage', 'share_label', limitedText(LIMITS.button_label)),
    quiz.text('Lien du rapport', 'report_label', limitedText(LIMITS.button_label)),
    quiz.text('Lien de l’attestation', 'certificate_label', limitedText(LIMITS.button_label)),
    quiz.setting('Accord', 'consent_mode', consentMode),
    quiz.text('Texte de l’accord', 'consent_text', filledText(LIMITS.consent_text)),
    quiz.setting(SLUG_KEY, 'slug', slug),
    quiz.setting(OPENING_KEY, 'opens_at', moment(time_zone)),
    quiz.setting('Clôture', 'closes_at', moment(time_zone)),
    quiz.setting('Participants au plus', 'max_responses', maxResponses),
    quiz.text('Texte de clôture', 'closed_text', limitedText(LIMITS.closed_text)),
    quiz.setting('Paramètres', 'parameters', parameterNames),
    quiz.setting('Page du participant', 'keeps_page', yesOrNo(false)),
    quiz.setting('Effacement dans les outils', 'page_erases_contacts', yesOrNo(false)),
  ])

/** Settings of the welcome screen. */
export const WELCOME_KEYS: Keys<HeadRow> = byName([
  quiz.text('Titre', 'welcome_title', limitedText(LIMITS.title)),
  quiz.text('Bouton', 'welcome_button', limitedText(LIMITS.button_text)),
  quiz.long('Texte', 'welcome_text', limitedText(LIMITS.description)),
])

/** Settings of the end screen. */
export const END_KEYS: Keys<HeadRow> = byName([
  quiz.text('Titre', 'end_title', limitedText(LIMITS.title)),
  quiz.long('Texte', 'end_text', limitedText(LIMITS.description)),
  quiz.text('Bouton', 'end_button_text', limitedText(LIMITS.button_text)),
  quiz.text('Adresse du bouton', 'end_button_url', linkAddress),
])

/** Theme by name. Only read: a theme is printed as its colours and fonts. */
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

/** Settings of the look. */
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
    const bound = (typed: string): number | null =>
      typed === '?' ? null : readNumber(typed, { least: 0, most: MAX_WHOLE_NUMBER, expected })
    return { min_score: bound(from), max_score: bound(to) }
  },
  write: ({ min_score, max_score }) =>
    min_score === null && max_score === null ? null : `${min_score ?? '?'} à ${max_score ?? '?'}`,
}

/** Settings of a result. */
export const RESULT_KEYS: Keys<Result> = byName([
  TIER,
  result.long('Description', 'description', limitedText(LIMITS.description)),
  result.text('Bouton', 'button_text', limitedText(LIMITS.button_text)),
  result.text('Adresse du bouton', 'button_url', linkAddress),
  result.text('Redirection', 'redirect_url', linkAddress),
])
