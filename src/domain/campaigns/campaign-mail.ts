import { cutText, isBlankText } from '#domain/common/text.ts'
import { MAIL_LIMITS, type QuizMail } from '#domain/deliveries/quiz-mail.ts'
import { linkifyAddress } from '#domain/participant-pages/page-insertion.ts'
import { weekdayInWords } from '#domain/questionnaire/access-sentences.ts'
import {
  fillInsertions,
  fillRichText,
  type Insertions,
  insertionKey,
  insertionsIn,
  type RichText,
  refusedLinks,
} from '#domain/run/rich-text.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { CAMPAIGN_LIMITS } from './campaign.ts'
import type { Person } from './people.ts'

/** Words of the mails of a campaign, in the creator's words. */
export type CampaignWords = {
  invitation_subject: string
  invitation_text: string
  reminder_subject: string
  reminder_text: string
}

/** Names that the words of a campaign can insert. */
export const CAMPAIGN_INSERTIONS = ['prénom', 'nom', 'lien', 'date de fin'] as const
/** Name that inserts the link, which a subject cannot have. */
const LINK_INSERTION = 'lien'

const DEFAULTS = {
  vous: {
    invitation_subject: 'Votre invitation',
    invitation_text:
      'Bonjour {{prénom}},\n\nVous êtes invité·e à répondre à un questionnaire. Vous pouvez commencer sur un appareil et finir sur un autre.\n\nMerci d’avance !',
    reminder_subject: 'Rappel',
    reminder_text:
      'Bonjour {{prénom}},\n\nVous n’avez pas encore répondu à ce questionnaire. Il reste ouvert jusqu’au {{date de fin}}.\n\nMerci d’avance !',
  },
  tu: {
    invitation_subject: 'Ton invitation',
    invitation_text:
      'Bonjour {{prénom}},\n\nTu es invité·e à répondre à un questionnaire. Tu peux commencer sur un appareil et finir sur un autre.\n\nMerci d’avance !',
    reminder_subject: 'Rappel',
    reminder_text:
      'Bonjour {{prénom}},\n\nTu n’as pas encore répondu à ce questionnaire. Il reste ouvert jusqu’au {{date de fin}}.\n\nMerci d’avance !',
  },
} satisfies Record<'vous' | 'tu', CampaignWords>

/** Returns the default words of a campaign, in the form of address of the quiz. */
export const defaultWords = ({
  name,
  address_form,
}: { name: string } & WordingSettings): CampaignWords => {
  const words = DEFAULTS[address_form === 'tu' ? 'tu' : 'vous']
  const subjectWith = (subject: string): string =>
    cutText(`${subject} : ${name}`, MAIL_LIMITS.subject)
  return {
    ...words,
    invitation_subject: subjectWith(words.invitation_subject),
    reminder_subject: subjectWith(words.reminder_subject),
  }
}

/** French names of the words in messages. */
const WORD_NAMES: Record<keyof CampaignWords, string> = {
  invitation_subject: 'L’objet de l’invitation',
  invitation_text: 'Le texte de l’invitation',
  reminder_subject: 'L’objet des rappels',
  reminder_text: 'Le texte des rappels',
}

/** Returns French errors by field for blank words, unknown insertions and refused links. */
export const campaignWordErrors = (
  words: CampaignWords,
): { field: keyof CampaignWords; message: string }[] =>
  (Object.keys(WORD_NAMES) as (keyof CampaignWords)[]).flatMap((field) => {
    const text = words[field]
    const isSubject = field.endsWith('_subject')
    const names = CAMPAIGN_INSERTIONS.filter((name) => !(isSubject && name === LINK_INSERTION))
    const keys = new Set(names.map(insertionKey))
    const unknown = insertionsIn(text).filter((name) => !keys.has(insertionKey(name)))
    const messages = [
      ...(isBlankText(text) ? [`${WORD_NAMES[field]} est vide`] : []),
      ...unknown.map(
        (name) =>
          `${WORD_NAMES[field]} : {{${name.trim()}}} n’existe pas ici. Vous pouvez insérer ${names
            .map((known) => `{{${known}}}`)
            .join(', ')}`,
      ),
      ...(isSubject ? [] : refusedLinks(text)).map(
        (address) =>
          `${WORD_NAMES[field]} : le lien vers « ${cutText(address, CAMPAIGN_LIMITS.name)} » n’est pas accepté (https, http, mailto ou tel)`,
      ),
    ]
    return messages.map((message) => ({ field, message }))
  })

/** Invitation whose mail is written. */
export type MailedPerson = Pick<Person, 'first_name' | 'last_name'> & {
  link: string
  /** End of the campaign and time zone of its creator. */
  ends_at: string
  time_zone: string
  now: Date
}

/**
 * Returns subject and text of the mail of a step: 0 for the invitation, then the reminders. `read` parses the formatting
 * of a text. An inserted link can be pressed.
 */
export const composeCampaignMail = (
  words: CampaignWords,
  step: number,
  person: MailedPerson,
  read: (text: string) => RichText,
): QuizMailContent => {
  const kind = step === 0 ? 'invitation' : 'reminder'
  const { link, ends_at, time_zone, now } = person
  const values: Insertions = new Map([
    ['prénom', person.first_name ?? ''],
    ['nom', person.last_name ?? ''],
    ['lien', link],
    ['date de fin', weekdayInWords(ends_at, { now: now.getTime(), time_zone })],
  ])
  const filled = fillRichText(read(words[`${kind}_text`]), values)
  return {
    subject: fillInsertions(words[`${kind}_subject`], values),
    body: linkifyAddress(filled, link),
  }
}

/** Subject and formatted text of a mail. */
type QuizMailContent = Pick<QuizMail, 'subject'> & { body: RichText }
