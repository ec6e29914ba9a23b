import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'

type Question = { message: string; confirm_label: string }

/** Returns the confirmation before a published questionnaire is withdrawn. */
export const withdrawConfirmation = ({ name }: Pick<Quiz, 'name'>): Question => ({
  message: `Dépublier « ${name} » ? Son lien ne mènera plus au questionnaire ; les réponses reçues restent.`,
  confirm_label: 'Dépublier',
})

/** Returns the confirmation before a quiz becomes a sondage or the reverse. */
export const typeChangeConfirmation = (quiz: Pick<Quiz, 'name' | 'type'>): Question => ({
  message: isSondage(quiz)
    ? `Faire de « ${quiz.name} » un quiz avec résultat ? Pour le publier, il lui faudra au moins 2 résultats.`
    : `Faire de « ${quiz.name} » un sondage ? Ses résultats sont gardés, mais personne n’en aura plus dès la prochaine publication.`,
  confirm_label: 'Changer le type',
})

/** Returns the other type of questionnaire. */
export const otherType = (quiz: Pick<Quiz, 'type'>): Quiz['type'] =>
  isSondage(quiz) ? 'quiz' : 'sondage'

/** Returns the announcement after a questionnaire was withdrawn. */
export const withdrawnText = ({ name }: Pick<Quiz, 'name'>): string => `« ${name} » est dépublié`

/** Returns the announcement after a change of type; `quiz` is the questionnaire before the change. */
export const typeChangedText = (quiz: Pick<Quiz, 'name' | 'type'>): string =>
  `« ${quiz.name} » est maintenant un ${isSondage(quiz) ? 'quiz avec résultat' : 'sondage'}`
