import { type Draft, isChoice, isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { parseText } from '#domain/text-format/parse-text.ts'

/** What each model is for, by the name of its file, in the order in which they are offered. */
export const PURPOSES: Readonly<Record<string, string>> = {
  'auto-diagnostic': 'Aidez vos visiteurs à savoir où en est leur projet, et restez en contact.',
  'profil-entrepreneur': 'Quatre profils pour faire connaissance avec votre audience.',
  'quel-accompagnement':
    'Orientez chacun vers la bonne formule : en ligne, en groupe ou en individuel.',
  'equilibre-au-travail': 'Un bilan en sept affirmations, pour ouvrir la discussion.',
  'rendez-vous-decouverte': 'Ce qu’il faut savoir avant un premier échange.',
  'style-de-decoration': 'Un style par visiteur, et une sélection à lui proposer.',
  'idee-cadeau': 'Guidez vers le bon rayon ceux qui cherchent une idée.',
  positionnement: 'Évaluez le niveau avant une formation, et composez vos groupes.',
  'recueil-des-besoins': 'Attentes, niveau, matériel, aménagements : avant la formation.',
  'satisfaction-a-chaud': 'Le jour même : objectifs, contenu, animation, organisation.',
  'satisfaction-a-froid': 'Trois mois après : ce qui sert, ce qui freine, la suite.',
  recommandation: 'La note de 0 à 10, et surtout pourquoi.',
}

/** A questionnaire to begin with: its text as it is created, and what that says. */
export type Model = { key: string; purpose: string; text: string; draft: Draft }

/** The models of these texts by the names of their files, in the order in which they are offered. */
export const readModels = (texts: Readonly<Record<string, string>>): Model[] =>
  Object.entries(PURPOSES).map(([key, purpose]) => {
    const text = texts[key]
    if (text === undefined) throw new Error(`There is no text of the model ${key}`)
    const parsed = parseText(text)
    if ('errors' in parsed) throw new Error(`The model ${key}: ${parsed.errors[0]?.message}`)
    return { key, purpose, text, draft: parsed.draft }
  })

/** What kind of questionnaire a model is, in words. */
const kindOf = ({ quiz, quiz_mode }: Draft): string => {
  if (isSondage(quiz)) return 'Sondage'
  return quiz_mode === 'score' ? 'Quiz par score' : 'Quiz par profils'
}

/** Seconds that an answer takes: to read and choose, to type a line, to write a few. */
const CHOOSING_S = 12
const TYPING_S = 15
const WRITING_S = 45

const secondsOf = (question: Question): number => {
  if (isChoice(question) || question.type === 'scale') return CHOOSING_S
  return question.type === 'textarea' ? WRITING_S : TYPING_S
}

/** How many minutes it takes to answer, about. */
export const minutesOf = ({ questions }: Draft): number =>
  Math.max(1, Math.round(questions.reduce((sum, one) => sum + secondsOf(one), 0) / 60))

/** Its kind, size and length in one line. */
export const factsOf = (draft: Draft): string => {
  const minutes = minutesOf(draft)
  return `${kindOf(draft)} · ${draft.questions.length} questions · ${minutes} minute${minutes > 1 ? 's' : ''}`
}
