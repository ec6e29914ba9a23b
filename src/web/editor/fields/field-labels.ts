import type { QuestionType } from '#domain/common/vocabulary.ts'
import { type Content, itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import type { AnswerOptions, QuestionOptions } from '#domain/questionnaire/quiz.ts'

/** French labels of the fields of a picture. */
export const PICTURE_LABELS = { image_id: 'Image', image_alt: 'Description de l’image' }

/** French labels of the options of a question. */
export const OPTION_LABELS: Record<keyof QuestionOptions, string> = {
  label: 'Nom court',
  help: 'Texte d’aide',
  is_required: 'Réponse obligatoire',
  max_choices: 'Nombre de réponses',
  has_other: 'Autre…',
  shuffles_answers: 'Ordre des réponses tiré au sort',
  scale_min: 'Début de l’échelle',
  scale_max: 'Fin de l’échelle',
  scale_min_label: 'Libellé du début',
  scale_max_label: 'Libellé de la fin',
  counts_in_score: 'Compte dans le score',
  shows_recommendation: 'Recommandation nette (NPS)',
  contact_role: 'Coordonnée',
  dimension_id: 'Dimension',
  explanation: 'Explication',
  all_or_nothing: 'Tout ou rien',
  continues_grid: 'Suite de la grille',
  grid_title: 'Titre de la grille',
  ...PICTURE_LABELS,
}

/** French labels of the fields of a question. */
export const QUESTION_LABELS: Record<string, string> = {
  text: 'Texte',
  place: 'Place',
  ...OPTION_LABELS,
}

const ANSWER_OPTION_LABELS: Record<keyof AnswerOptions, string> = {
  ...PICTURE_LABELS,
  jump_to: 'Destination',
  is_correct: 'Bonne réponse',
}

/** French labels of the fields of an answer. */
export const ANSWER_LABELS: Record<string, string> = {
  text: 'Texte',
  score: 'Score',
  place: 'Place',
  ...ANSWER_OPTION_LABELS,
}

/** French names of the question types (product 7.10). */
export const QUESTION_TYPE_NAMES: Record<QuestionType, string> = {
  multiple_choice: 'Choix multiple',
  text: 'Texte court',
  textarea: 'Texte long',
  email: 'Email',
  phone: 'Téléphone',
  number: 'Nombre',
  scale: 'Échelle',
  date: 'Date',
}

/** French names of the welcome and end screens. */
export const WELCOME_AND_END_NAMES = { welcome: 'Accueil', end: 'Fin' }

/** Returns the number of each question and text block by id, from 1 in reading order. */
export const numbersOf = (content: Content): Map<string, number> => {
  const counts = { question: 0, text_block: 0 }
  return new Map(itemsInOrder(content).map((item) => [placeOf(item).id, ++counts[item.kind]]))
}
