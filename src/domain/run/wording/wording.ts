import { applyWording, PAGE_TU_FORMS, type WordingSettings } from './page-wording.ts'

/** Forms with « tu » of texts outside the player: pages without scripts, mails and documents. The key is the default text. */
export const OTHER_TU_FORMS: Readonly<Record<string, string>> = {
  'Répondez-y pour continuer :': 'Réponds-y pour continuer :',
  'L’auteur de ce questionnaire reçoit vos réponses et en est responsable.':
    'L’auteur de ce questionnaire reçoit tes réponses et en est responsable.',
  'Répondez au': 'Réponds au',
  'Et vous ?': 'Et toi ?',
  'Vous recevrez votre résultat par email.': 'Tu recevras ton résultat par email.',
  'Vous recevrez un email de confirmation.': 'Tu recevras un email de confirmation.',
  'Vos réponses': 'Tes réponses',
  'Télécharger votre rapport (PDF)': 'Télécharger ton rapport (PDF)',
  'Télécharger votre attestation (PDF)': 'Télécharger ton attestation (PDF)',
  'Votre résultat : {{résultat}}': 'Ton résultat : {{résultat}}',
  'Bonjour,\n\nMerci d’avoir répondu à ce quiz. Votre résultat : **{{résultat}}**.\n\nÀ bientôt !':
    'Bonjour,\n\nMerci d’avoir répondu à ce quiz. Ton résultat : **{{résultat}}**.\n\nÀ bientôt !',
  'Merci pour votre participation': 'Merci pour ta participation',
  'Vous recevez cet email parce que votre adresse a été donnée en réponse à':
    'Tu reçois cet email parce que ton adresse a été donnée en réponse à',
  'Si ce n’était pas vous, ignorez-le, ou suivez le lien ci-dessous.':
    'Si ce n’était pas toi, ignore-le, ou suis le lien ci-dessous.',
}

/** Returns a text of a page, a mail or a document in the words of a quiz. */
export const wordingOf = (quiz: WordingSettings, text: string): string =>
  applyWording(quiz, text, text in OTHER_TU_FORMS ? OTHER_TU_FORMS : PAGE_TU_FORMS)
