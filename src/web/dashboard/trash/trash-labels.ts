import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { daysLeftInTrash, TRASH_DAYS } from '#domain/questionnaire/trash/trash.ts'

/** Questionnaire of the trash. */
export type TrashedQuiz = Pick<Quiz, 'id' | 'name' | 'type' | 'nb_responses'> & {
  /** Time of the deletion. */
  trashed_at: string
}

/** Explanation of the trash, shown below its title. */
export const TRASH_RULE = `Un questionnaire supprimé reste ici ${TRASH_DAYS} jours : sa page est fermée, son adresse lui reste réservée, et rien n’est envoyé à vos outils. Il est ensuite supprimé définitivement, avec ses réponses.`

const number = new Intl.NumberFormat('fr-FR')

/** Formats a number of participants: 'aucun participant', '1 participant', '1 200 participants'. */
export const formatTrashedParticipants = (count: number): string =>
  count === 0 ? 'aucun participant' : `${number.format(count)} participant${count > 1 ? 's' : ''}`

/** Formats the days until a questionnaire is deleted for ever: '30 jours restants', 'dernier jour'. */
export const formatDaysLeft = (trashed_at: string, now: number): string => {
  const days = daysLeftInTrash(trashed_at, now)
  return days > 1 ? `${days} jours restants` : 'dernier jour'
}

const loss = (count: number): string => {
  if (count === 0) return 'Aucun participant n’a répondu.'
  return count === 1
    ? 'Les réponses de son participant seront effacées.'
    : `Les réponses de ses ${number.format(count)} participants seront effacées.`
}

/** Returns the question before one questionnaire is deleted for ever. */
export const deletionQuestion = (quiz: TrashedQuiz): string =>
  `Supprimer définitivement le ${quizNoun(quiz)} « ${quiz.name} » ? ${loss(quiz.nb_responses)} Cette action est irréversible.`

/** Returns the question before the whole trash is deleted for ever. */
export const emptyingQuestion = (quizzes: readonly TrashedQuiz[]): string => {
  const participants = quizzes.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
  const [what, whose] =
    quizzes.length === 1
      ? ['le questionnaire', 'de son']
      : [`les ${number.format(quizzes.length)} questionnaires`, 'de leurs']
  const lost =
    participants === 0
      ? 'Aucun participant n’y a répondu.'
      : `Les réponses ${whose} ${formatTrashedParticipants(participants)} seront effacées.`
  return `Supprimer définitivement ${what} de la corbeille ? ${lost} Cette action est irréversible.`
}
