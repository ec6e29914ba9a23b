import { cutText, trimText } from '#domain/common/text.ts'
import type { MailPart } from '#domain/deliveries/mail-result.ts'
import { imageAddress, imagePropertiesOf, sizesOf } from '#domain/questionnaire/images.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { type Block, plainText, type RichText } from '#domain/run/rich-text.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import type { Letter, LetterPart } from './letter.ts'
import { PICTURE_WIDTH } from './letter-html.ts'

const PREVIEW_LENGTH = 120

/** Returns a picture with its public address, in twice the shown width; undefined for an id without a size. */
const pictureOf = (
  { image_id, alt }: Extract<MailPart, { kind: 'picture' }>,
  public_url: string,
): LetterPart | undefined => {
  const properties = imagePropertiesOf(image_id)
  if (!properties) return undefined
  const width = Math.min(properties.width, PICTURE_WIDTH)
  const height = Math.max(1, Math.round((properties.height * width) / properties.width))
  const sizes = sizesOf(properties.width)
  const size = sizes.find((stored) => stored >= 2 * width) ?? sizes.at(-1) ?? 400
  const url = public_url + imageAddress(image_id, size)
  return { kind: 'picture', picture: { url, width, height, alt } }
}

/** Returns the mail with a participant's result: the creator's words, the parts of the result, and links. */
export const resultLetter = ({
  subject,
  body,
  parts = [],
  links = [],
  quiz,
  public_url = '',
  page_url = null,
  unsubscribe_url,
}: {
  subject: string
  body: RichText
  parts?: readonly MailPart[]
  /** Paragraphs with the links to documents and to the page of the participant. */
  links?: readonly Block[]
  quiz: Pick<Quiz, 'name'> & WordingSettings
  /** Origin of the pictures. */
  public_url?: string
  /** Page of the participant, on which a shortened text goes on. */
  page_url?: string | null | undefined
  unsubscribe_url: string
}): Letter => ({
  subject: trimText(subject) || quiz.name,
  title: quiz.name,
  preview: cutText(plainText(body).toWellFormed(), PREVIEW_LENGTH),
  paragraphs: [],
  body,
  parts: [
    ...parts.flatMap((part) =>
      part.kind === 'picture' ? (pictureOf(part, public_url) ?? []) : part,
    ),
    ...(links.length > 0 ? [{ kind: 'text' as const, text: [...links] }] : []),
  ],
  closing: [
    `${wordingOf(quiz, 'Vous recevez cet email parce que votre adresse a été donnée en réponse à')} « ${quiz.name} ». ${wordingOf(quiz, 'Si ce n’était pas vous, ignorez-le, ou suivez le lien ci-dessous.')}`,
  ],
  unsubscribe_link: { label: 'Ne plus recevoir d’emails de cet auteur', url: unsubscribe_url },
  continues_at: page_url ? { label: 'Ma page', url: page_url } : undefined,
})
