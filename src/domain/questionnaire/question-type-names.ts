import type { QuestionType } from '#domain/common/vocabulary.ts'

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
