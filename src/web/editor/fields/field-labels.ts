import { type Content, itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'

/** French names of the welcome and end screens. */
export const WELCOME_AND_END_NAMES = { welcome: 'Accueil', end: 'Fin' }

/** Returns the number of each question and text block by id, from 1 in reading order. */
export const numbersOf = (content: Content): Map<string, number> => {
  const counts = { question: 0, text_block: 0 }
  return new Map(itemsInOrder(content).map((item) => [placeOf(item).id, ++counts[item.kind]]))
}
