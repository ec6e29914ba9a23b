import { CONFIRMATION_DAYS } from '#domain/confirmations/confirmation.ts'
import type { Letter } from '#domain/mail-letters/letter.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'

/** Facts of a mail that asks a participant to confirm the address. */
type ConfirmationFacts = {
  quiz: Pick<Quiz, 'name'> & WordingSettings
  email: string
  /** Name under which the creator writes to participants; null if the creator has none. */
  sender_name: string | null
  /** Consent text that the participant accepted; null if there was no box. */
  consent_text: string | null
  /** True if the result is mailed after the confirmation. */
  is_mailed: boolean
  is_reminder: boolean
  url: string
  unsubscribe_url: string
}

/** Returns the mail that asks a participant to confirm the address. Creators change its words only through the wording. */
export const confirmationLetter = ({
  quiz,
  email,
  sender_name,
  consent_text,
  is_mailed,
  is_reminder,
  url,
  unsubscribe_url,
}: ConfirmationFacts): Letter => {
  const say = (text: string): string => wordingOf(quiz, text)
  const asked = say('Confirmez votre adresse')
  const sender = sender_name ?? 'l’auteur de ce questionnaire'
  return {
    subject: `${is_reminder ? 'Rappel : ' : ''}${asked} (${quiz.name})`,
    title: say('Confirmez votre adresse email'),
    preview: quiz.name,
    paragraphs: [
      `${say('Vous avez répondu à')} « ${quiz.name} » et laissé cette adresse : ${email}.`,
      `${say('Le bouton ouvre une page, où un second appui confirme que cette adresse est la vôtre. Ensuite seulement,')} ${sender} ${say('pourra vous écrire.')}`,
      ...(is_mailed ? [say('Votre résultat vous sera aussi envoyé par email.')] : []),
      ...(consent_text === null ? [] : [`${say('Vous avez accepté :')} « ${consent_text} »`]),
    ],
    action: { label: 'Confirmer mon adresse', url },
    closing: [
      `Ce lien est valable ${CONFIRMATION_DAYS} jours. ${say('Sans confirmation, votre adresse n’est transmise à aucun outil.')}`,
      say(
        'Si ce n’était pas vous, ignorez cet email : l’adresse ne sera pas utilisée. Pour ne plus en recevoir, suivez le lien ci-dessous.',
      ),
    ],
    unsubscribe_link: { label: 'Ne plus recevoir d’emails de cet auteur', url: unsubscribe_url },
  }
}
