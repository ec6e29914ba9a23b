import { comparableText } from '#domain/common/comparable-text.ts'
import { cutText } from '#domain/common/text.ts'
import { type Draft, isChoice, isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { parseText } from '#domain/text-format/parse-text.ts'

/** Goals of questionnaires with their French names, in display order. */
export const TEMPLATE_GOALS = [
  ['contacts', 'Attirer des contacts'],
  ['diagnosis', 'Diagnostic'],
  ['training', 'Formation'],
  ['opinions', 'Avis'],
] as const
/** Goal of a template. */
export type TemplateGoal = (typeof TEMPLATE_GOALS)[number][0]

type Purpose = Readonly<{
  goal: TemplateGoal
  purpose: string
  /** People for whom the template is made. */
  audience: string
  /** Words that people search and that no other text of the template has. */
  words: string
}>

/** Goals, purposes and audiences of the templates by file name, in display order. */
export const TEMPLATE_PURPOSES: Readonly<Record<string, Purpose>> = {
  'auto-diagnostic': {
    goal: 'contacts',
    purpose: 'Aidez vos visiteurs à savoir où en est leur projet, et restez en contact.',
    audience: 'Coachs, consultants et indépendants qui accompagnent des projets.',
    words: 'lead magnet, aimant, projet, coach',
  },
  'profil-entrepreneur': {
    goal: 'contacts',
    purpose: 'Quatre profils pour faire connaissance avec votre audience.',
    audience: 'Coachs et créateurs de contenu qui s’adressent à des entrepreneurs.',
    words: 'lead magnet, personnalité, test, coach',
  },
  'quel-accompagnement': {
    goal: 'contacts',
    purpose: 'Orientez chacun vers la bonne formule : en ligne, en groupe ou en individuel.',
    audience: 'Coachs et formateurs qui proposent plusieurs formules.',
    words: 'orientation, offre, coach, formule',
  },
  'equilibre-au-travail': {
    goal: 'diagnosis',
    purpose: 'Un bilan en sept affirmations, pour ouvrir la discussion.',
    audience: 'Coachs, psychologues du travail et responsables d’équipe.',
    words: 'bien-être, stress, burn-out, qualité de vie',
  },
  'roue-de-la-vie': {
    goal: 'diagnosis',
    purpose: 'Huit domaines, un radar, et par où commencer.',
    audience: 'Coachs de vie et coachs professionnels, avant ou pendant un accompagnement.',
    words: 'coaching, radar, équilibre, bilan',
  },
  'diagnostic-entreprise': {
    goal: 'diagnosis',
    purpose: 'Six domaines de l’entreprise, avec une action pour chacun.',
    audience: 'Consultants et réseaux qui accompagnent de petites entreprises.',
    words: 'audit, maturité, conseil, TPE',
  },
  'rendez-vous-decouverte': {
    goal: 'diagnosis',
    purpose: 'Ce qu’il faut savoir avant un premier échange.',
    audience: 'Coachs, thérapeutes et consultants, avant un premier rendez-vous.',
    words: 'prise de contact, qualification, entretien',
  },
  'style-de-decoration': {
    goal: 'contacts',
    purpose: 'Un style par participant, et une sélection à lui proposer.',
    audience: 'Boutiques de décoration, décorateurs et artisans.',
    words: 'boutique, produit, personnalité, maison',
  },
  'idee-cadeau': {
    goal: 'contacts',
    purpose: 'Guidez vers le bon rayon ceux qui cherchent une idée.',
    audience: 'Boutiques, en ligne ou en ville, avant les fêtes.',
    words: 'boutique, produit, Noël, recommandation',
  },
  positionnement: {
    goal: 'training',
    purpose: 'Évaluez le niveau avant une formation, et composez vos groupes.',
    audience: 'Organismes de formation et formateurs indépendants, avant l’entrée en formation.',
    words: 'test de niveau, prérequis, Qualiopi, entrée en formation',
  },
  'quiz-de-connaissances': {
    goal: 'training',
    purpose: 'Six situations, la bonne réponse et son explication après chacune.',
    audience: 'Formateurs, enseignants et responsables de la sécurité.',
    words: 'QCM, contrôle, bonnes réponses, évaluation',
  },
  'evaluation-des-acquis': {
    goal: 'training',
    purpose: 'En fin de formation : ce qui est acquis, avec la correction complète.',
    audience: 'Organismes de formation et formateurs, le dernier jour.',
    words: 'QCM, test final, Qualiopi, évaluation, attestation',
  },
  'recueil-des-besoins': {
    goal: 'training',
    purpose: 'Attentes, niveau, matériel, aménagements : avant la formation.',
    audience: 'Organismes de formation et formateurs, à l’inscription.',
    words: 'inscription, attentes, Qualiopi, handicap',
  },
  'satisfaction-a-chaud': {
    goal: 'opinions',
    purpose: 'Le jour même : objectifs, contenu, animation, organisation.',
    audience: 'Organismes de formation et organisateurs d’ateliers.',
    words: 'questionnaire de satisfaction, avis, Qualiopi, fin de formation',
  },
  'satisfaction-a-froid': {
    goal: 'opinions',
    purpose: 'Trois mois après : ce qui sert, ce qui freine, la suite.',
    audience: 'Organismes de formation, quelques mois après la session.',
    words: 'questionnaire de satisfaction, avis, Qualiopi, suivi, trois mois',
  },
  recommandation: {
    goal: 'opinions',
    purpose: 'La note de 0 à 10, et surtout pourquoi.',
    audience: 'Boutiques, indépendants et organismes de formation.',
    words: 'NPS, satisfaction, avis, clients',
  },
}

/** A template of a questionnaire: its text, and the draft that the text describes. */
export type Template = Purpose & { key: string; text: string; draft: Draft }

/** Returns the templates of these texts in display order; throws if a text is missing or invalid. */
export const parseTemplates = (texts: Readonly<Record<string, string>>): Template[] =>
  Object.entries(TEMPLATE_PURPOSES).map(([key, described]) => {
    const text = texts[key]
    if (text === undefined) throw new Error(`There is no text of the template ${key}`)
    const parsed = parseText(text)
    if ('errors' in parsed) throw new Error(`The template ${key}: ${parsed.errors[0]?.message}`)
    return { ...described, key, text, draft: parsed.draft }
  })

/** Maximum length of a search for templates, in UTF-16 units. */
export const MAX_TEMPLATE_SEARCH = 100

/** Returns the templates in whose description every searched word occurs, without regard to case and accents. */
export const findTemplates = (templates: readonly Template[], searched: string): Template[] => {
  const words = comparableText(cutText(searched, MAX_TEMPLATE_SEARCH)).split(' ')
  return templates.filter((template) => {
    const { goal, key, purpose, audience, draft } = template
    const goal_name = TEMPLATE_GOALS.find(([name]) => name === goal)?.[1] ?? ''
    const parts = [draft.quiz.name, key.replaceAll('-', ' '), goal_name, purpose, audience]
    const description = comparableText([...parts, template.words, kindOf(draft)].join(' '))
    return words.every((word) => description.includes(word))
  })
}

/** Returns the French name of a template's kind. */
const kindOf = ({ quiz, quiz_mode }: Draft): string => {
  if (isSondage(quiz)) return 'Sondage'
  return quiz_mode === 'score' ? 'Quiz par score' : 'Quiz par profils'
}

/** Seconds that an answer takes: to read and choose. */
const CHOOSING_S = 12
const TYPING_S = 15
const WRITING_S = 45

const secondsOf = (question: Question): number => {
  if (isChoice(question) || question.type === 'scale') return CHOOSING_S
  return question.type === 'textarea' ? WRITING_S : TYPING_S
}

/** Returns the approximate number of minutes that the answers take. */
export const estimateMinutes = ({ questions }: Draft): number =>
  Math.max(1, Math.round(questions.reduce((sum, question) => sum + secondsOf(question), 0) / 60))

/** Returns the kind, the size and the duration of a template in one line. */
export const describeTemplate = (draft: Draft): string => {
  const minutes = estimateMinutes(draft)
  return `${kindOf(draft)} · ${draft.questions.length} questions · ${minutes} minute${minutes > 1 ? 's' : ''}`
}

/** Returns a function that creates ids, so that several templates on one page have different ids. */
export const createTemplateIds = (prefix: string): (() => string) => {
  let last = 0
  return () => `${prefix}-${++last}`
}
