import type { RichText } from '#domain/run/rich-text.ts'

/** Name and reply address of a mail. The address of From is that of MAIL_FROM, because another domain would fail DMARC. */
export type MailSender = {
  /** Name before « via Quizaine » in From; null or absent: the name of MAIL_FROM. */
  from_name?: string | null
  /** Address for replies (Reply-To); null or absent if replies are not read. */
  reply_to?: string | null
}

/** Picture with the size at which a mail shows it, in pixels. */
type LetterPicture = { url: string; width: number; height: number; alt: string }

/** Part of a letter below its text, such as the name of a result. */
export type LetterPart =
  | { kind: 'heading'; text: string; note?: string | undefined }
  | { kind: 'picture'; picture: LetterPicture }
  | { kind: 'text'; text: RichText }
  | { kind: 'button'; label: string; url: string }

/** Content of one email (letter) before it is rendered as HTML and text. The rendered email is a `Mail` (server/mails/transport.ts). */
export type Letter = {
  subject: string
  title: string
  /** Preview text that mail programs show after the subject. */
  preview: string
  paragraphs: string[]
  /** Rich text after the paragraphs. */
  body?: RichText
  /** Parts after the body. */
  parts?: readonly LetterPart[]
  /** Main action of the mail. */
  action?: { label: string; url: string }
  /** Six digits that the reader can type instead of following the link. */
  code?: { label: string; digits: string }
  /** Closing lines: why the mail was sent, and what to do if it was not requested. */
  closing: string[]
  /** Link with which the recipient unsubscribes from these mails. */
  unsubscribe_link?: { label: string; url: string }
  /** Page on which the reader finds a text that was shortened; absent without one. */
  continues_at?: { label: string; url: string } | undefined
}

/** Returns the foot of a mail. Without an address for replies, the foot says that replies are not read. */
export const footOf = ({ reply_to }: MailSender): string =>
  `Message automatique de Quizaine${reply_to ? '.' : ' : personne ne lit les réponses.'}`
