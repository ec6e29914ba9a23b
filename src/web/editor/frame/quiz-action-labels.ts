import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'

type Question = { message: string; confirm_label: string }

/** Asked before a published questionnaire is withdrawn, on the dashboard and in the editor. */
export const withdrawConfirmation = ({ name }: Pick<Quiz, 'name'>): Question => ({
  message: `Dépublier « ${name} » ? Son lien ne mènera plus au questionnaire ; les réponses reçues restent.`,
  confirm_label: 'Dépublier',
})

/** Asked before a quiz becomes a sondage, or a sondage a quiz. */
export const typeChangeConfirmation = (quiz: Pick<Quiz, 'name' | 'type'>): Question => ({
  message: isSondage(quiz)
    ? `Faire de « ${quiz.name} » un quiz avec résultat ? Pour le publier, il lui faudra au moins 2 résultats.`
    : `Faire de « ${quiz.name} » un sondage ? Ses résultats sont gardés, mais personne n’en aura plus dès la prochaine publication.`,
  confirm_label: 'Changer le type',
})

/** The type that a questionnaire gets by changing it. */
export const otherType = (quiz: Pick<Quiz, 'type'>): Quiz['type'] =>
  isSondage(quiz) ? 'quiz' : 'sondage'

/** Said once a questionnaire is withdrawn. */
export const withdrawnText = ({ name }: Pick<Quiz, 'name'>): string => `« ${name} » est dépublié`

/** Said once the type is changed; `quiz` is the one of before. */
export const typeChangedText = (quiz: Pick<Quiz, 'name' | 'type'>): string =>
  `« ${quiz.name} » est maintenant un ${isSondage(quiz) ? 'quiz avec résultat' : 'sondage'}`
