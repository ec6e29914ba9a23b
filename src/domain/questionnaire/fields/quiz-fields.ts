import {
  CONSENT_MODES,
  type ConsentMode,
  LIMITS,
  MAX_WHOLE_NUMBER,
  QUIZ_TYPES,
  type QuizType,
  TIE_RULES,
  type TieRule,
} from '#domain/common/vocabulary.ts'
import {
  type FieldNames,
  flagField,
  type ListOfValuesField,
  listField,
  type MomentField,
  numberField,
  ownTextField,
  referenceField,
  textField,
} from './field.ts'
import { PAGE_FIELDS } from './page-fields.ts'

/** Records of the fields of a quiz, in the order of the text format. */

/** Name and type, which every quiz has. */
export const HEAD_FIELDS = {
  name: ownTextField(LIMITS.quiz_name, {
    label: 'Nom',
    is_filled: true,
    audience: 'page',
    part: 'name',
  }),
  type: listField<QuizType>(QUIZ_TYPES, 'quiz', {
    label: 'Type',
    names: { quiz: 'Quiz', sondage: 'Sondage' },
    audience: 'page',
    part: 'type',
  }),
}

const color = (label: string) =>
  referenceField('color', { label, key: true, audience: 'page', part: 'look', step: 'settings' })
/** Colours of the page. Null means the default of the screen (product 1.5). */
export const COLOR_FIELDS = {
  bg_color: color('Fond'),
  text_color: color('Texte'),
  button_color: color('Bouton'),
  button_text_color: color('Texte du bouton'),
  accent_color: color('Accent'),
}

/** Rule for tied results of a quiz by profiles. */
export const TIE_FIELDS = {
  tie_rule: listField<TieRule>(TIE_RULES, 'priority', {
    label: 'En cas d’égalité',
    key: 'Égalités',
    names: {
      priority: 'Le plus haut de la liste',
      question: 'Une question départage',
      both: 'Tous sont montrés',
    },
    words: { priority: 'priorité', question: 'question', both: 'les deux' },
    audience: 'page',
    part: 'ties',
    step: 'results',
  }),
  /** Multiple-choice question whose answer decides a tie, with the rule 'question'. */
  tie_question_id: referenceField('id', {
    label: 'Question qui départage',
    audience: 'page',
    part: 'ties',
    step: 'results',
  }),
}

/** Consents to forwarding and to measuring, which apply at once and belong to no version. */
export const CONSENT_FIELDS = {
  consent_mode: listField<ConsentMode>(CONSENT_MODES, 'box', {
    label: 'Accord des participants',
    key: 'Accord',
    names: { box: 'Case à cocher', requested: 'Sans case' },
    words: { box: 'case', requested: 'annoncé' },
  }),
  /** Null means the default text. */
  consent_text: textField(LIMITS.consent_text, {
    label: 'Texte de la case à cocher',
    key: 'Texte de l’accord',
    is_filled: true,
  }),
  /** True if a second box asks whether openings of mails and clicks may be measured. */
  measure_consent: flagField({ label: 'Accord pour la mesure', key: true }),
  /** Null means the default text. */
  measure_text: textField(LIMITS.consent_text, {
    label: 'Texte de l’accord pour la mesure',
    key: true,
    is_filled: true,
  }),
}

/** Sender of the mails to participants, which applies at once and belongs to no version. */
export const SENDER_FIELDS = {
  /** Name before « via Quizaine »; null means that of the account (domain/mail-senders). */
  sender_name: referenceField('sender', { label: 'Nom de l’expéditeur', key: true }),
}

const momentField = (names: FieldNames & Pick<MomentField, 'subject'>): MomentField => ({
  kind: 'moment',
  default: null,
  ...names,
})
/** Address, opening time and closing conditions, which apply at once and belong to no version. */
export const OPENING_FIELDS = {
  /** Chosen address, in addition to the address with the id. */
  slug: referenceField('slug', { label: 'Adresse du questionnaire', key: true }),
  /** Time from which visitors can answer; null means that they can answer at once. */
  opens_at: momentField({
    label: 'Date et heure d’ouverture',
    key: 'Ouverture',
    subject: 'La date d’ouverture',
  }),
  closes_at: momentField({
    label: 'Date et heure de clôture',
    key: 'Clôture',
    subject: 'La date de clôture',
  }),
  max_responses: numberField([1, MAX_WHOLE_NUMBER], {
    label: 'Nombre maximum de participants',
    key: 'Participants au plus',
    example: 'un nombre de participants, par exemple « 200 ».',
  }),
  closed_text: textField(LIMITS.closed_text, {
    label: 'Texte du questionnaire clos',
    key: 'Texte de clôture',
  }),
}

/** Settings of the access to a quiz, which apply at once and belong to no version. */
export const ACCESS_FIELDS = {
  ...OPENING_FIELDS,
  /** URL parameters that are stored with a participant, in addition to `utm_*` (domain/questionnaire/parameters.ts). */
  parameters: {
    kind: 'parameters',
    default: [],
    label: 'Paramètres',
    key: true,
  } as ListOfValuesField<string>,
  /** True if participants confirm their address by mail before anything is forwarded. */
  confirms_email: flagField({ label: 'Confirmation de l’adresse', key: true }),
  /** True if participants get a page of their own, with their result and their rights. */
  keeps_page: flagField({ label: 'Page du participant', key: true }),
  /** True if actions on this page also ask the email tools to delete or unsubscribe the person. */
  page_erases_contacts: flagField({ label: 'Effacement dans les outils', key: true }),
}

/** Fields of a quiz that its file contains. */
export const QUIZ_FIELDS = {
  ...HEAD_FIELDS,
  ...COLOR_FIELDS,
  ...CONSENT_FIELDS,
  ...SENDER_FIELDS,
  ...PAGE_FIELDS,
  ...TIE_FIELDS,
}
/** Fields of a quiz that a save of the draft stores. */
export const SAVED_QUIZ_FIELDS = { ...QUIZ_FIELDS, ...OPENING_FIELDS }
