import type { DigestedQuiz } from '#domain/deliveries/mail-digest.ts'
import type { Letter } from '#domain/mail-letters/letter.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import type { Block } from '#domain/run/rich-text.ts'

/** Returns the mail that tells a creator about one participant, with no more than the statistics show. */
export const noticeLetter = ({
  quiz,
  result,
  email,
  url,
}: {
  quiz: Pick<Quiz, 'name' | 'type'>
  result: string | null
  email: string | null
  url: string
}): Letter => ({
  subject: `Nouveau participant : ${quiz.name}`,
  title: 'Un nouveau participant',
  preview: result === null ? quiz.name : `${quiz.name} : ${result}`,
  paragraphs: [
    `Quelqu’un vient de répondre à « ${quiz.name} ».`,
    ...(result === null ? [] : [`Résultat : ${result}`]),
    ...(email === null ? [] : [`Adresse email : ${email}`]),
  ],
  action: { label: 'Voir ses réponses', url },
  closing: [
    `Vous recevez un email à chaque participant : vous pouvez en changer dans les réglages du ${quizNoun(quiz)}, onglet Automatisations.`,
  ],
})

/** Maximum number of quizzes in one mail; the dashboard shows all. */
const MAX_QUIZZES_PER_MAIL = 50

const formatParticipantCount = (count: number): string =>
  count > 1 ? `${count} nouveaux participants` : `${count} nouveau participant`

/** Returns the mail that lists the participants of a day by quiz. */
export const digestLetter = ({
  quizzes,
  public_url,
}: {
  quizzes: readonly DigestedQuiz[]
  public_url: string
}): Letter => {
  const total = formatParticipantCount(
    quizzes.reduce((sum, { nb_participants }) => sum + nb_participants, 0),
  )
  const blocks = quizzes.slice(0, MAX_QUIZZES_PER_MAIL).flatMap((quiz): Block[] => {
    const href = `${public_url}/quiz/${quiz.quiz_id}/statistics`
    const results = quiz.results.map(({ name, nb_participants }): Block[] => [
      [`${name} : ${nb_participants}`],
    ])
    return [
      [{ a: [quiz.name], href }, ` : ${formatParticipantCount(quiz.nb_participants)}`],
      ...(results.length > 0 ? [{ list: results }] : []),
    ]
  })
  return {
    subject: `${total} depuis hier`,
    title: total,
    preview: quizzes
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', '),
    paragraphs: [],
    body: blocks,
    action: { label: 'Ouvrir le tableau de bord', url: `${public_url}/dashboard` },
    closing: [
      'Vous recevez au plus un email par jour, pour les questionnaires où vous l’avez choisi : vous pouvez en changer dans les réglages de chacun, onglet Automatisations.',
    ],
  }
}
