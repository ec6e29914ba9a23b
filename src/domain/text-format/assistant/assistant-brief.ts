import { cutText, shortenText } from '#domain/common/text.ts'
import { LIMITS, type QuizType } from '#domain/common/vocabulary.ts'
import { THEMES } from '#domain/questionnaire/look/themes.ts'
import type { TextError } from '#domain/text-format/lines.ts'
import { REPLY_KINDS } from '#domain/text-format/question-keys.ts'
import { EXAMPLES } from './examples.ts'

/** Texts that a creator pastes into an AI assistant: the instruction, and the errors of its answer (docs/text-format.md). */

/** Maximum length of a creator's brief, in characters. */
export const MAX_BRIEF_LENGTH = 4_000

/** Request of a creator: a free text about subject, public and number of questions, and the kind of questionnaire. */
export type AssistantBrief = { brief: string; type: QuizType }

const ANSWER_ONLY =
  'Répondez uniquement par le texte du questionnaire, entier, dans un seul bloc de code, sans phrase avant ni après.'

const quotedList = (words: readonly string[]): string =>
  words.map((word) => `« ${word} »`).join(', ')

const QUIZ_RULES = [
  'Un quiz est par score ou par profils. Par score (« Mode : score »), chaque réponse a des points, comme [+2] ou [0], et chaque résultat un palier, comme « Palier : 0 à 5 ». Les paliers se suivent sans trou et couvrent tous les totaux possibles.',
  'Par profils (« Mode : profils »), chaque réponse mène à un ou plusieurs résultats, comme « -> Nom du résultat ×2, Autre résultat ». Le nom est exactement celui du résultat. Chaque résultat est atteint par autant de réponses.',
  'Les parties viennent dans cet ordre : « ## Accueil », « ## Résultats », si besoin « ## Dimensions », puis « ## Page 1 », « ## Page 2 » et ainsi de suite.',
  'Sous « ## Résultats », « ### Nom du résultat » commence un résultat ; sa description est sur des lignes qui commencent par « > ».',
  `Pour une roue ou un diagnostic par domaines, en mode score : sous « ## Dimensions », « ### Nom du domaine », puis ses paliers en pourcentage ; sous chaque question, « Dimension : Nom du domaine ». Il y a ${LIMITS.dimensions} domaines au plus. Le nombre d’une échelle compte toujours dans son domaine, et dans le total avec « Compte dans le score : oui ».`,
  'Pour un quiz de connaissances, en mode score : [juste] après chaque bonne réponse, « Explication : … » sous la question, et « Corrections : à la fin » sous le nom.',
]
const SONDAGE_RULES = [
  'Un sondage n’a ni points, ni résultats. Les parties viennent dans cet ordre : « ## Accueil », « ## Page 1 », « ## Page 2 » et ainsi de suite, puis « ## Fin » avec un remerciement.',
]
const COMMON_RULES = [
  'La première ligne est « # Nom du questionnaire ».',
  'Sous une page, « ### Texte de la question » commence une question. Viennent ensuite ses réglages, un par ligne, puis ses réponses, une par ligne, chacune après « - ».',
  `« Réponse : … » dit comment on répond ; sans cette ligne, un seul choix est possible. Valeurs : ${quotedList(REPLY_KINDS)}. Une échelle va de 0 ou 1 à 5, 7 ou 10. Seule une question à choix a des lignes « - ».`,
  'Si besoin, sous la question : « Aide : … » (une précision), « Obligatoire : non », « Autre : oui » (un dernier choix libre), « Libellé du début : … » et « Libellé de la fin : … » pour une échelle.',
  'Après une réponse, « => page 3 » mène à cette page et « => fin » à la fin, toujours vers la suite. Sans cela, la page suivante vient.',
  `Sous « ## Apparence », « Thème : … » donne les couleurs : ${quotedList(THEMES.map(({ name }) => name))}.`,
  'N’écrivez ni numéros devant les questions ou les réponses, ni gras dans les titres, ni d’autres réglages que ceux-ci. Le gras est permis dans les lignes qui commencent par « > ».',
  `Longueurs : ${LIMITS.quiz_name} caractères pour le nom, ${LIMITS.result_name} pour un résultat, ${LIMITS.answer_text} pour une réponse, ${LIMITS.button_text} pour un bouton.`,
]

/** Returns the French instruction to paste into an assistant: the text format with examples, then the brief. */
export const assistantInstruction = ({ brief, type }: AssistantBrief): string => {
  const isQuiz = type === 'quiz'
  const rules = [...COMMON_RULES, ...(isQuiz ? QUIZ_RULES : SONDAGE_RULES)]
  const noun = isQuiz ? 'quiz' : 'sondage'
  return [
    `Vous rédigez un ${noun} pour Quizaine, à partir de mon besoin, écrit à la fin. ${ANSWER_ONLY}`,
    `Le format du texte :\n\n${rules.map((rule) => `- ${rule}`).join('\n')}`,
    ...EXAMPLES[type].map((example) => `Un exemple entier :\n\n\`\`\`text\n${example}\`\`\``),
    `Mon besoin, pour un ${noun} :\n\n${cutText(brief.trim(), MAX_BRIEF_LENGTH)}`,
  ].join('\n\n')
}

const MAX_LISTED_ERRORS = 50
const MAX_LINE_LENGTH = 200

/** Returns the French message that gives an assistant the errors of its text, each with its line. */
export const assistantCorrections = (text: string, errors: readonly TextError[]): string => {
  const lines = text.split(/\r\n|\r|\n/)
  const listed = errors.slice(0, MAX_LISTED_ERRORS).map(({ line, message }) => {
    const written = shortenText(lines[line - 1]?.trim() ?? '', MAX_LINE_LENGTH)
    return `- Ligne ${line}, « ${written} » : ${message}`
  })
  const count = errors.length - listed.length
  const more = count > 0 ? [`- Et ${count} autres erreurs, à corriger de la même façon.`] : []
  return [
    `Le texte du questionnaire a des erreurs. Corrigez-les sans rien changer d’autre. ${ANSWER_ONLY}`,
    [...listed, ...more].join('\n'),
  ].join('\n\n')
}
