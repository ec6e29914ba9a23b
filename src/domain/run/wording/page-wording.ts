import type { ButtonLabels, QuizPage } from '#domain/questionnaire/quiz.ts'

/** Words of the public page: labels of the creator, and the form of address. */

/**
 * Label of a chosen answer in `corrections/corrections.ts`, and its key in PAGE_TU_FORMS. A type instead of a constant,
 * because each file of the player is bundled once.
 */
export type ChosenLabel = 'votre réponse, juste' | 'votre réponse, fausse'

/** Settings of a snapshot that decide the words of the public page. */
export type WordingSettings = {
  [Name in keyof ButtonLabels | 'address_form']?: QuizPage[Name] | undefined
}

/** Field of the creator's label, by the default text that the label replaces. */
export const LABEL_FIELDS: Readonly<Record<string, keyof ButtonLabels>> = {
  Suivant: 'next_label',
  Précédent: 'back_label',
  'Voir le résultat': 'finish_label',
  Envoyer: 'finish_label',
  Continuer: 'continue_label',
  Recommencer: 'restart_label',
  'Partager mon résultat': 'share_label',
  'Télécharger mon rapport (PDF)': 'report_label',
  'Télécharger mon attestation (PDF)': 'certificate_label',
}

/** Forms with « tu » of texts of the player. Each key is the exact text of a component in `web/player` and changes with the component. */
export const PAGE_TU_FORMS: Readonly<Record<string, string> & Record<ChosenLabel, string>> = {
  'Votre réponse...': 'Ta réponse...',
  'décochez-en une pour en choisir une autre.': 'décoches-en une pour en choisir une autre.',
  précisez: 'précise',
  'Écrivez votre réponse à côté de « Autre… ».': 'Écris ta réponse à côté de « Autre… ».',
  'Saisissez une adresse email complète, par exemple nom@exemple.fr.':
    'Saisis une adresse email complète, par exemple nom@exemple.fr.',
  'Saisissez un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.':
    'Saisis un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.',
  'Vérifiez ou ajoutez l’indicatif (+33…).': 'Vérifie ou ajoute l’indicatif (+33…).',
  'Vouliez-vous dire': 'Voulais-tu dire',
  'Saisissez un nombre, par exemple 123.': 'Saisis un nombre, par exemple 123.',
  'Saisissez une date complète, par exemple 31/12/2026.':
    'Saisis une date complète, par exemple 31/12/2026.',
  'votre réponse, juste': 'ta réponse, juste',
  'votre réponse, fausse': 'ta réponse, fausse',
  'Merci pour votre participation !': 'Merci pour ta participation !',
  'Confirmez votre adresse : un email vient de partir à':
    'Confirme ton adresse : un email vient de partir à',
  'Vos réponses n’ont pas été transmises.': 'Tes réponses n’ont pas été transmises.',
  'Vos réponses n’ont pas été transmises : ce questionnaire n’est pas encore ouvert.':
    'Tes réponses n’ont pas été transmises : ce questionnaire n’est pas encore ouvert.',
  'Vos réponses ne sont pas encore transmises : gardez cette page ouverte.':
    'Tes réponses ne sont pas encore transmises : garde cette page ouverte.',
  'Vos réponses n’ont pas été transmises : ce questionnaire n’est plus publié.':
    'Tes réponses n’ont pas été transmises : ce questionnaire n’est plus publié.',
  'Vos réponses n’ont pas été transmises : ce questionnaire est clos.':
    'Tes réponses n’ont pas été transmises : ce questionnaire est clos.',
}

/** Returns the creator’s label for a text. Without a label, returns the form in `tu_forms` if the quiz says « tu ». */
export const applyWording = (
  quiz: WordingSettings,
  text: string,
  tu_forms: Readonly<Record<string, string>>,
): string => {
  const label = LABEL_FIELDS[text]
  return (label && quiz[label]) || (quiz.address_form === 'tu' && tu_forms[text]) || text
}

/** Returns a text of the player in the words of a quiz. */
export const pageWordingOf = (quiz: WordingSettings, text: string): string =>
  applyWording(quiz, text, PAGE_TU_FORMS)

/** Returns true if the public page of a quiz has other words than the default ones. */
export const hasOwnWording = (quiz: WordingSettings): boolean =>
  quiz.address_form === 'tu' || Object.values(LABEL_FIELDS).some((label) => quiz[label])
