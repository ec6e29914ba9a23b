import {
  CONDITION_JOINS,
  CONTACT_ROLES,
  type ConditionJoin,
  type ContactRole,
  DEFAULT_SCALE,
  LIMITS,
  MAX_WHOLE_NUMBER,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  type ScaleMaximum,
  type ScaleMinimum,
  VARIANT_PLACES,
  type VariantPlace,
} from '#domain/common/vocabulary.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import {
  flagField,
  type ListOfValuesField,
  listField,
  numberField,
  numberListField,
  ownTextField,
  referenceField,
  textField,
} from './field.ts'
import type { Condition, DimensionTier } from './list-values.ts'

/** Records of the fields of questions, answers, results, dimensions, conditional texts and text blocks. */

const ON_PAGE = { audience: 'page' } as const

/** Image next to a text. A null `image_alt` was never given; '' marks a decorative image. */
export const IMAGE_FIELDS = {
  image_id: referenceField('image', { label: 'Image', ...ON_PAGE }),
  image_alt: textField(LIMITS.image_alt, { label: 'Description de l’image', ...ON_PAGE }),
}

/** Options of a question besides text, type and position, in the order of the text format. */
export const OPTION_FIELDS = {
  ...IMAGE_FIELDS,
  /** « Nom court »: unique name of the question in insertions, exports and email tools. */
  label: textField(LIMITS.question_label, { label: 'Nom court', key: true, ...ON_PAGE }),
  help: textField(LIMITS.help, { label: 'Texte d’aide', key: 'Aide', ...ON_PAGE }),
  is_required: flagField({ label: 'Réponse obligatoire', key: 'Obligatoire', ...ON_PAGE }, true),
  /** Maximum number of chosen answers; null means no limit. */
  max_choices: numberField(
    [1, LIMITS.answers_per_question],
    { label: 'Nombre de réponses', use: 'choice', ...ON_PAGE },
    1,
  ),
  /** True if the last choice is « Autre… », with a text field. */
  has_other: flagField({ label: 'Autre…', key: 'Autre', use: 'choice', ...ON_PAGE }),
  /** True if each visitor sees the answers in another order. */
  shuffles_answers: flagField({
    label: 'Ordre des réponses tiré au sort',
    key: 'Ordre tiré au sort',
    use: 'choice',
    ...ON_PAGE,
  }),
  scale_min: numberListField<ScaleMinimum>(SCALE_MINIMA, DEFAULT_SCALE.scale_min, {
    label: 'Début de l’échelle',
    use: 'scale',
    ...ON_PAGE,
  }),
  scale_max: numberListField<ScaleMaximum>(SCALE_MAXIMA, DEFAULT_SCALE.scale_max, {
    label: 'Fin de l’échelle',
    use: 'scale',
    ...ON_PAGE,
  }),
  scale_min_label: textField(LIMITS.scale_label, {
    label: 'Libellé du début',
    key: true,
    use: 'scale',
    ...ON_PAGE,
  }),
  scale_max_label: textField(LIMITS.scale_label, {
    label: 'Libellé de la fin',
    key: true,
    use: 'scale',
    ...ON_PAGE,
  }),
  /** True if the number is added to the total, in a quiz by score. */
  counts_in_score: flagField({
    label: 'Compte dans le score',
    key: true,
    use: 'scale',
    ...ON_PAGE,
  }),
  /**
   * True if statistics show the net promoter score of a scale from 0 to 10. The default is true, because statistics
   * showed the score of every scale from 0 to 10 before the setting existed.
   */
  shows_recommendation: flagField(
    {
      label: 'Recommandation nette (NPS)',
      key: true,
      use: 'scale_0_10',
      audience: 'snapshot',
    },
    true,
  ),
  dimension_id: referenceField('id', { label: 'Dimension', use: 'points', ...ON_PAGE }),
  /**
   * Part of the contact data that the reply is. Ignored if the type of the question does not fit
   * (domain/questionnaire/contact-roles.ts).
   */
  contact_role: listField<ContactRole | null>(CONTACT_ROLES, null, {
    label: 'Coordonnée',
    key: true,
    names: CONTACT_ROLE_LABELS,
    use: 'contact',
    audience: 'snapshot',
  }),
  /** Title of the grid that begins with this question. */
  grid_title: textField(LIMITS.grid_title, {
    label: 'Titre de la grille',
    key: 'Grille',
    use: 'points',
    ...ON_PAGE,
  }),
  /** True if the question is a further row of the grid of the question before. */
  continues_grid: flagField({
    label: 'Suite de la grille',
    key: true,
    use: 'points',
    ...ON_PAGE,
  }),
  /** Formatted text that follows the right answers. */
  explanation: textField(LIMITS.explanation, {
    label: 'Explication',
    key: true,
    use: 'choice',
    audience: 'explained',
  }),
  /** True if the scores count only if exactly the right answers are chosen. */
  all_or_nothing: flagField({
    label: 'Tout ou rien',
    key: true,
    use: 'choice',
    audience: 'counted',
  }),
}

/** Fields of a question besides its type and its place. */
export const QUESTION_FIELDS = {
  text: ownTextField(LIMITS.question_text, { label: 'Texte', ...ON_PAGE }),
  ...OPTION_FIELDS,
}

/** Fields of an answer besides text and score. */
export const ANSWER_OPTION_FIELDS = {
  ...IMAGE_FIELDS,
  /** Number of the next page if this answer is chosen, JUMP_TO_END or JUMP_TO_NOWHERE; null means the following page. */
  jump_to: numberField([-1, LIMITS.pages], { label: 'Destination', ...ON_PAGE }),
  /** True if the answer is right. */
  is_correct: flagField({ label: 'Bonne réponse', audience: 'solved' }),
}

/** Fields of an answer besides its place and its associations. */
export const ANSWER_FIELDS = {
  text: ownTextField(LIMITS.answer_text, { label: 'Texte', ...ON_PAGE }),
  /** A null score was never given; 0 is a score. */
  score: numberField([-MAX_WHOLE_NUMBER, MAX_WHOLE_NUMBER], { label: 'Score', ...ON_PAGE }),
  ...ANSWER_OPTION_FIELDS,
}

/** Button of the page of a result or of a conditional text. */
const BUTTON_FIELDS = {
  button_text: textField(LIMITS.button_text, { label: 'Bouton', key: true, ...ON_PAGE }),
  button_url: referenceField('link', { label: 'Adresse du bouton', key: true, ...ON_PAGE }),
}

/** Fields of the page of a result besides name and description. */
export const ENDING_FIELDS = {
  ...IMAGE_FIELDS,
  ...BUTTON_FIELDS,
  /** Address to which a visitor with this result is redirected after the server has stored the answers. */
  redirect_url: referenceField('link', { label: 'Redirection', key: true, ...ON_PAGE }),
}

/** Fields of a result besides its place. */
export const RESULT_FIELDS = {
  name: ownTextField(LIMITS.result_name, { label: 'Nom', is_filled: true, ...ON_PAGE }),
  description: textField(LIMITS.description, {
    label: 'Description',
    key: true,
    is_long: true,
    ...ON_PAGE,
  }),
  min_score: numberField([0, MAX_WHOLE_NUMBER], { label: 'Palier minimum', ...ON_PAGE }),
  max_score: numberField([0, MAX_WHOLE_NUMBER], { label: 'Palier maximum', ...ON_PAGE }),
  ...ENDING_FIELDS,
}

/** Fields of a dimension besides its place. */
export const DIMENSION_FIELDS = {
  name: ownTextField(LIMITS.dimension_name, { label: 'Nom', ...ON_PAGE }),
  /** Formatted text. */
  description: textField(LIMITS.description, {
    label: 'Description',
    key: true,
    is_long: true,
    ...ON_PAGE,
  }),
  tiers: {
    kind: 'tiers',
    default: [],
    label: 'Paliers',
    ...ON_PAGE,
  } as ListOfValuesField<DimensionTier>,
}

/** Fields of a conditional text besides its rank. */
export const TEXT_VARIANT_FIELDS = {
  place: listField<VariantPlace>(VARIANT_PLACES, 'every_result', {
    label: 'Place',
    names: {
      result: 'Sur un résultat',
      every_result: 'Sur tous les résultats',
      end: 'À la fin du sondage',
      mail: 'Dans l’email du résultat',
    },
    ...ON_PAGE,
  }),
  /** Result that shows the text; only for the place 'result'. */
  result_id: referenceField('id', { label: 'Résultat', ...ON_PAGE }),
  joined_by: listField<ConditionJoin>(CONDITION_JOINS, 'and', {
    label: 'Liaison des conditions',
    key: 'Conditions',
    // The names follow « Montrer si ».
    names: {
      and: 'toutes les conditions sont remplies (et)',
      or: 'au moins une condition est remplie (ou)',
    },
    words: { and: 'toutes', or: 'au moins une' },
    ...ON_PAGE,
  }),
  conditions: {
    kind: 'conditions',
    default: [],
    label: 'Conditions',
    ...ON_PAGE,
  } as ListOfValuesField<Condition>,
  text: ownTextField(LIMITS.description, { label: 'Texte', key: true, is_long: true, ...ON_PAGE }),
  ...BUTTON_FIELDS,
}

/** Field of a text block besides its place. */
export const TEXT_BLOCK_FIELDS = {
  content: ownTextField(LIMITS.text_block, { label: 'Contenu', is_filled: true, ...ON_PAGE }),
}
