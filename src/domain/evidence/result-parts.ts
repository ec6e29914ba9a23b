import { MIN_ANONYMOUS_REPLIES } from '#domain/campaigns/reply-pool.ts'
import type { DocumentPart, FigureRow } from '#domain/reports/document.ts'
import type { Mean, QuestionCounts, ResultCounts } from './count-results.ts'
import { figures, heading, line, note, percentText, plural } from './document-parts.ts'

const MIN_SHOWN = 1
const HIDDEN = 'Moins de cinq réponses : les chiffres ne sont pas montrés.'

/** Returns the results of a campaign. An anonymous campaign shows no figure of fewer than five replies. */
export const resultParts = (
  results: ResultCounts,
  campaign: { is_anonymous: boolean; nb_deleted_replies: number },
): DocumentPart[] => {
  const min = campaign.is_anonymous ? MIN_ANONYMOUS_REPLIES : MIN_SHOWN
  const deleted = campaign.nb_deleted_replies
  if (results.nb_replies < min)
    return [
      heading(2, 'Résultats'),
      line(campaign.is_anonymous ? HIDDEN : 'Aucune réponse.'),
      ...(deleted > 0 ? [line('Les réponses ont été effacées à la fin de la campagne.')] : []),
    ]
  const isShown = ({ count }: Pick<Mean, 'count'>): boolean => count >= min
  const means = [...(results.score ? [results.score] : []), ...results.dimensions].filter(isShown)
  return [
    heading(2, 'Résultats'),
    line(`${plural(results.nb_replies, 'réponse', 'réponses')}.`),
    ...figures(
      results.results.map(({ name, count }) => ({
        label: name,
        value: plural(count, 'personne', 'personnes'),
        share: count / results.nb_replies,
      })),
    ),
    ...(means.length > 0 ? [heading(3, 'Moyennes'), ...figures(means.map(meanRow))] : []),
    ...results.questions.flatMap((question) => questionParts(question, min)),
    ...rightParts(results.questions, min),
  ]
}

const meanRow = ({ name, mean, count }: Mean): FigureRow => ({
  label: name,
  value: percentText(mean),
  note: plural(count, 'réponse', 'réponses'),
  share: mean / 100,
})

const questionParts = (
  { text, nb_answered, answers }: QuestionCounts,
  min: number,
): DocumentPart[] => {
  if (answers.length === 0) return []
  if (nb_answered < min)
    return [heading(3, text), note(min > MIN_SHOWN ? HIDDEN : 'Aucune réponse.')]
  return [
    heading(3, text),
    ...figures(
      answers.map((answer) => ({
        label: answer.text,
        value: `${answer.count.toLocaleString('fr-FR')} (${percentText((answer.count / nb_answered) * 100)})`,
        share: answer.count / nb_answered,
      })),
    ),
  ]
}

const rightParts = (questions: readonly QuestionCounts[], min: number): DocumentPart[] => {
  const corrected = questions.filter(({ nb_right }) => nb_right !== null)
  if (corrected.length === 0) return []
  return [
    heading(2, 'Bonnes réponses'),
    ...figures(
      corrected.map(({ text, answers, nb_answered, nb_right }) => {
        const right = answers.filter(({ is_right }) => is_right).map((answer) => answer.text)
        const is_shown = nb_answered >= min
        return {
          label: text,
          value: is_shown
            ? `${percentText(((nb_right ?? 0) / nb_answered) * 100)} de justes`
            : 'Non montré',
          note: `${right.length > 1 ? 'Bonnes réponses' : 'Bonne réponse'} : ${right.join(', ')}`,
        }
      }),
    ),
  ]
}
