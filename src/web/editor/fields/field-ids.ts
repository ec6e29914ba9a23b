import type { QuestionType } from '#domain/common/vocabulary.ts'

/** French names of the question types (spec §2 « Questions screen »). */
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

/** Ids of the elements that get the focus after a change (focus-after-action.ts). */
export const fieldId = (id: string): string => `field-${id}`
export const itemMenuId = (id: string): string => `menu-${id}`
export const pageHandleId = (page_number: number): string => `move-page-${page_number}`
export const pageHeadingId = (page_number: number): string => `page-${page_number}`
