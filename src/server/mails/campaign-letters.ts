import { cutText, trimText } from '#domain/common/text.ts'
import type { Letter } from '#domain/mail-letters/letter.ts'
import { plainText, type RichText } from '#domain/run/rich-text.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'

const PREVIEW_LENGTH = 120

const CLOSING = {
  vous: {
    reason:
      'vous a invité·e à répondre à son questionnaire. Ce lien est le vôtre : ne le transmettez pas.',
    anonymous:
      'Vos réponses sont anonymes : l’auteur voit que vous avez répondu, mais pas ce que vous avez répondu. Les réponses ne sont montrées que par groupes d’au moins cinq.',
  },
  tu: {
    reason:
      't’a invité·e à répondre à son questionnaire. Ce lien est le tien : ne le transmets pas.',
    anonymous:
      'Tes réponses sont anonymes : l’auteur voit que tu as répondu, mais pas ce que tu as répondu. Les réponses ne sont montrées que par groupes d’au moins cinq.',
  },
}

/** Returns the mail of a campaign in the creator's words. The button leads to the questionnaire of the person. */
export const campaignLetter = ({
  subject,
  body,
  quiz,
  is_anonymous,
  link,
}: {
  subject: string
  body: RichText
  quiz: { name: string } & WordingSettings
  is_anonymous: boolean
  /** Address of the questionnaire, and of the page on which the person refuses. */
  link: { answer_url: string; refusal_url: string }
}): Letter => {
  const closing = CLOSING[quiz.address_form === 'tu' ? 'tu' : 'vous']
  const receives = quiz.address_form === 'tu' ? 'Tu reçois' : 'Vous recevez'
  return {
    subject: trimText(subject) || quiz.name,
    title: quiz.name,
    preview: cutText(plainText(body).toWellFormed(), PREVIEW_LENGTH),
    paragraphs: [],
    body,
    action: { label: 'Répondre', url: link.answer_url },
    closing: [
      ...(is_anonymous ? [closing.anonymous] : []),
      `${receives} cet email parce que l’auteur de « ${quiz.name} » ${closing.reason}`,
    ],
    unsubscribe_link: {
      label: 'Ne pas répondre, ou ne plus recevoir d’emails',
      url: link.refusal_url,
    },
  }
}
