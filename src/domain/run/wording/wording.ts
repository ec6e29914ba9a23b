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
  'Confirmez votre adresse': 'Confirme ton adresse',
  'Confirmez votre adresse email': 'Confirme ton adresse email',
  'Vous avez répondu à': 'Tu as répondu à',
  'Encore un appui pour confirmer votre adresse': 'Encore un appui pour confirmer ton adresse',
  'Le bouton ouvre une page, où un second appui confirme que cette adresse est la vôtre. Ensuite seulement,':
    'Le bouton ouvre une page, où un second appui confirme que cette adresse est la tienne. Ensuite seulement,',
  'pourra vous écrire.': 'pourra t’écrire.',
  'Votre résultat vous sera aussi envoyé par email.':
    'Ton résultat te sera aussi envoyé par email.',
  'Vous avez accepté :': 'Tu as accepté :',
  'Sans confirmation, votre adresse n’est transmise à aucun outil.':
    'Sans confirmation, ton adresse n’est transmise à aucun outil.',
  'Si ce n’était pas vous, ignorez cet email : l’adresse ne sera pas utilisée. Pour ne plus en recevoir, suivez le lien ci-dessous.':
    'Si ce n’était pas toi, ignore cet email : l’adresse ne sera pas utilisée. Pour ne plus en recevoir, suis le lien ci-dessous.',
  'Après la confirmation, l’auteur de ce questionnaire pourra vous écrire.':
    'Après la confirmation, l’auteur de ce questionnaire pourra t’écrire.',
  'est bien votre adresse.': 'est bien ton adresse.',
  'Votre résultat part par email.': 'Ton résultat part par email.',
  'Vous pouvez fermer cette page.': 'Tu peux fermer cette page.',
  'Vous avez retiré votre accord : votre adresse n’est plus transmise. Il n’y a rien à confirmer.':
    'Tu as retiré ton accord : ton adresse n’est plus transmise. Il n’y a rien à confirmer.',
  'Votre adresse a été confirmée le': 'Ton adresse a été confirmée le',
  'Votre adresse n’a pas été confirmée : elle n’a été transmise à aucun outil.':
    'Ton adresse n’a pas été confirmée : elle n’a été transmise à aucun outil.',
  'Pour recevoir un nouveau lien, répondez à nouveau au questionnaire.':
    'Pour recevoir un nouveau lien, réponds à nouveau au questionnaire.',
}

/** Returns a text of a page, a mail or a document in the words of a quiz. */
export const wordingOf = (quiz: WordingSettings, text: string): string =>
  applyWording(quiz, text, text in OTHER_TU_FORMS ? OTHER_TU_FORMS : PAGE_TU_FORMS)
