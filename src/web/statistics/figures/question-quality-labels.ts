import {
  type JudgedQuestion,
  MIN_PARTICIPANTS_FOR_QUALITY,
  type QuestionQuality,
} from '#domain/statistics/question-quality.ts'
import { formatNumber } from '#web/statistics/format/format.ts'

/** Least values of Cronbach's alpha for each sentence; the usual bounds of psychometrics. */
const ALPHA = { repeats: 0.9, good: 0.7, fair: 0.5 }
const MIN_CORRELATION = 0.2
const MIN_DECISIVE_SHARE = 0.05
/** Least gain in alpha for which removing a question is advised. */
const MIN_ALPHA_GAIN = 0.02
const MAX_NAMED_ANSWERS = 3

/** Returns a sentence about how well the questions belong together, and what to do. */
export const alphaText = ({ alpha }: Pick<QuestionQuality, 'alpha'>): string => {
  if (alpha === null)
    return 'La cohérence ne se calcule pas ici : il faut au moins deux questions à points que tous passent, et des totaux qui diffèrent.'
  const named = `(alpha de Cronbach : ${formatNumber(alpha)})`
  if (alpha >= ALPHA.repeats)
    return `Vos questions vont toutes dans le même sens ${named}. Certaines se répètent peut-être : avec une de moins, les scores seraient presque les mêmes.`
  if (alpha >= ALPHA.good)
    return `Vos questions mesurent bien la même chose ${named}. Rien à changer.`
  if (alpha >= ALPHA.fair)
    return `Vos questions mesurent à peu près la même chose ${named}. Reformulez celles qui sont signalées.`
  return `Vos questions mesurent des choses différentes ${named} : leur total mélange des réponses sans rapport. Reformulez celles qui sont signalées, ou comptez par profils.`
}

/** Returns the advice on one question as sentences; empty without advice. */
export const questionAdvice = (
  question: Omit<JudgedQuestion, 'id' | 'text'>,
  { alpha }: Pick<QuestionQuality, 'alpha'>,
): string[] => {
  const { nb_asked } = question
  if (nb_asked < MIN_PARTICIPANTS_FOR_QUALITY) {
    const came =
      nb_asked > 1 ? `${nb_asked} participants y sont arrivés` : 'presque personne n’y est arrivé'
    return [`Trop tôt pour la juger : ${came}.`]
  }
  return [
    ...correlationAdvice(question),
    ...decisionAdvice(question),
    ...unusedAdvice(question),
    ...alphaAdvice(question, alpha),
  ]
}

const correlationAdvice = ({ correlation }: Pick<JudgedQuestion, 'correlation'>): string[] => {
  if (correlation === null)
    return [
      'Elle donne à tous les mêmes points, ou elle est seule à en donner : elle ne se compare à rien.',
    ]
  if (correlation < 0)
    return [
      'Elle va à l’encontre des autres : qui y gagne des points en perd ailleurs. Vérifiez que ses points ne sont pas inversés.',
    ]
  return correlation < MIN_CORRELATION
    ? ['Elle a peu de rapport avec les autres : reformulez-la, ou mettez ses points à zéro.']
    : []
}

const decisionAdvice = ({ decides }: Pick<JudgedQuestion, 'decides'>): string[] => {
  if (decides === 0)
    return [
      'Cette question n’a changé le résultat de personne : écartez davantage ses points, ou retirez-la.',
    ]
  return decides < MIN_DECISIVE_SHARE
    ? [
        'Cette question ne change presque jamais le résultat : écartez davantage ses points, ou retirez-la.',
      ]
    : []
}

const unusedAdvice = ({ unused_answers }: Pick<JudgedQuestion, 'unused_answers'>): string[] => {
  if (unused_answers.length === 0) return []
  const named = unused_answers.slice(0, MAX_NAMED_ANSWERS).map(({ text }) => `« ${text} »`)
  const rest = unused_answers.length - named.length
  const all = rest > 0 ? `${named.join(', ')} et ${rest} de plus` : named.join(', ')
  const these = unused_answers.length > 1 ? 'ces réponses' : 'cette réponse'
  return [`Jamais choisi : ${all}. Reformulez ou retirez ${these}.`]
}

const alphaAdvice = (
  { alpha_without }: Pick<JudgedQuestion, 'alpha_without'>,
  alpha: number | null,
): string[] =>
  alpha !== null && alpha_without !== null && alpha_without > alpha + MIN_ALPHA_GAIN
    ? [`Sans elle, l’alpha passerait de ${formatNumber(alpha)} à ${formatNumber(alpha_without)}.`]
    : []
