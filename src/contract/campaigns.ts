import { z } from 'zod'
import {
  areReminderDays,
  CAMPAIGN_LIMITS,
  CAMPAIGN_STATUSES,
  INVITATION_STATES,
  REFUSALS,
} from '#domain/campaigns/campaign.ts'
import { isMailable } from '#domain/common/addresses.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { MAIL_LIMITS } from '#domain/deliveries/quiz-mail.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, text, timestamp, uuid } from './kit/fields.ts'
import { invitation } from './kit/shapes.ts'
import { MAX_POSTGRES_INTEGER, publicQuiz } from './public-quiz.ts'

const { campaigns: campaignCalls, invitedRuns: invitedRunCalls } = calls

/** Maximum size in bytes of a call with the people of a campaign. */
const MAX_PEOPLE_BODY_BYTES = 3 * 1_048_576
/** Maximum number of people in a page of the list. */
const PEOPLE_PAGE = 100

const subject = filledText(MAIL_LIMITS.subject).refine((value) => !/[\r\n]/.test(value), {
  error: 'L’objet tient sur une ligne',
})
const words = {
  invitation_subject: subject,
  invitation_text: filledText(MAIL_LIMITS.text),
  reminder_subject: subject,
  reminder_text: filledText(MAIL_LIMITS.text),
}
const shownWords = z.object({
  invitation_subject: z.string(),
  invitation_text: z.string(),
  reminder_subject: z.string(),
  reminder_text: z.string(),
})

const email = text(LIMITS.email).refine(isMailable, { error: 'L’adresse email n’est pas valable' })
const optionalName = (max: number) => text(max).trim().nullish()
/** Person to invite. */
const invitedPerson = z.object({
  email,
  first_name: optionalName(CAMPAIGN_LIMITS.first_name),
  last_name: optionalName(CAMPAIGN_LIMITS.last_name),
  group_name: optionalName(CAMPAIGN_LIMITS.group_name),
})
const people = z.array(invitedPerson).min(1).max(CAMPAIGN_LIMITS.people)
/** Declaration of the creator that these people may be written to. */
const may_write = z.literal(true, {
  error: 'Confirmez que ces personnes peuvent recevoir vos emails',
})
const reminder_days = z
  .array(z.int())
  .max(CAMPAIGN_LIMITS.reminders)
  .refine(areReminderDays, {
    error: `Les rappels partent de 1 à ${CAMPAIGN_LIMITS.reminder_day} jours après l’invitation, dans l’ordre`,
  })

const counts = z.object({
  invited: z.int(),
  opened: z.int(),
  started: z.int(),
  replied: z.int(),
  refused: z.int(),
  failed: z.int(),
})

const campaign = z.object({
  id: uuid,
  name: z.string(),
  is_anonymous: z.boolean(),
  status: z.enum(CAMPAIGN_STATUSES),
  reminder_days: z.array(z.int()),
  starts_at: timestamp,
  ends_at: timestamp,
  ended_at: timestamp.nullable(),
  created_at: timestamp,
  /** People by state. */
  counts,
  /** Time at which the last waiting mails leave; null if none waits. */
  last_sending_at: timestamp.nullable(),
  /** Replies of an anonymous campaign that were deleted at its end, because there were fewer than five. */
  nb_deleted_replies: z.int(),
})
/** Campaign with its people by state. */
export type ShownCampaign = z.output<typeof campaign>

const detailed = campaign.extend({
  words: shownWords,
  /** People by group; the name is null for people without a group. */
  groups: z.array(z.object({ group_name: z.string().nullable(), counts })),
})
/** Campaign with its words and groups. */
export type DetailedCampaign = z.output<typeof detailed>

const person = invitation.extend({
  id: uuid,
  refusal: z.enum(REFUSALS).nullable(),
  /** French reason why no mail reaches the address. */
  failure: z.string().nullable(),
  /** Times of the invitation and of each reminder; null for a mail that did not leave. */
  sent_at: z.array(timestamp.nullable()),
  /** Time of the next mail; null if none is left. */
  next_mail_at: timestamp.nullable(),
  /** Participant of the reply; null without a reply and in anonymous campaigns. */
  participant_uuid: uuid.nullable(),
})
/** Person of a campaign. */
export type ShownPerson = z.output<typeof person>

const added = z.object({
  nb_added: z.int(),
  /** Added people who refuse the mails of this account, and who get none. */
  nb_refused: z.int(),
  /** Addresses that the campaign has already. */
  known: z.array(z.string()),
})

/** Campaigns of a quiz and their people (docs/decisions/083). No answer contains the link of a person. */
export const campaigns = group({
  list: {
    ...campaignCalls.list,
    access: 'quiz_owner',
    answer: z.object({
      campaigns: z.array(campaign),
      /** Words with which a new campaign begins. */
      default_words: shownWords,
      /** Mails that the campaigns of the account may send in a day. */
      mails_per_day: z.int(),
      has_mail_server: z.boolean(),
      is_published: z.boolean(),
      /** Questions that ask who the participant is, because of which no campaign can be anonymous. */
      contact_questions: z.array(z.string()),
    }),
    summary: 'Les campagnes d’un quiz, et ce qu’il faut pour en créer une',
  },
  create: {
    ...campaignCalls.create,
    access: 'quiz_owner',
    max_body_bytes: MAX_PEOPLE_BODY_BYTES,
    body: z.object({
      name: filledText(CAMPAIGN_LIMITS.name),
      is_anonymous: z.boolean().default(false),
      ...words,
      reminder_days: reminder_days.default([]),
      starts_at: timestamp.nullish(),
      ends_at: timestamp,
      people,
      may_write,
    }),
    answer: z.object({ campaign, added }),
    creates: true,
    summary: 'Créer une campagne : chaque personne reçoit par email un lien à son nom',
  },
  get: {
    ...campaignCalls.get,
    access: 'quiz_owner',
    answer: z.object({ campaign: detailed }),
    summary: 'Une campagne, avec ses textes et le nombre de personnes par état et par groupe',
  },
  update: {
    ...campaignCalls.update,
    access: 'quiz_owner',
    body: z.object({
      name: filledText(CAMPAIGN_LIMITS.name).optional(),
      invitation_subject: words.invitation_subject.optional(),
      invitation_text: words.invitation_text.optional(),
      reminder_subject: words.reminder_subject.optional(),
      reminder_text: words.reminder_text.optional(),
      reminder_days: reminder_days.optional(),
      ends_at: timestamp.optional(),
      status: z.enum(CAMPAIGN_STATUSES).optional(),
    }),
    answer: z.object({ campaign: detailed }),
    summary: 'Changer une campagne, la mettre en pause, la reprendre ou la terminer',
  },
  remove: {
    ...campaignCalls.remove,
    access: 'quiz_owner',
    summary: 'Supprimer une campagne terminée et ses personnes ; les réponses restent',
  },
  people: {
    ...campaignCalls.people,
    access: 'quiz_owner',
    query: z.object({
      state: z.enum(INVITATION_STATES).optional(),
      /** Name of a group; blank for people without a group. */
      group: text(CAMPAIGN_LIMITS.group_name).optional(),
      after: uuid.optional(),
      limit: z.coerce.number().int().min(1).max(PEOPLE_PAGE).default(PEOPLE_PAGE),
    }),
    answer: z.object({ people: z.array(person), next_cursor: uuid.nullable() }),
    summary: 'Les personnes d’une campagne et leur état, par pages',
  },
  addPeople: {
    ...campaignCalls.addPeople,
    access: 'quiz_owner',
    max_body_bytes: MAX_PEOPLE_BODY_BYTES,
    body: z.object({ people, may_write }),
    answer: z.object({ added }),
    summary: 'Inviter d’autres personnes dans une campagne qui n’est pas terminée',
  },
  removePerson: {
    ...campaignCalls.removePerson,
    access: 'quiz_owner',
    summary: 'Retirer une personne d’une campagne : son lien n’est plus valable',
  },
  correctAddress: {
    ...campaignCalls.correctAddress,
    access: 'quiz_owner',
    body: z.object({ email }),
    summary: 'Corriger une adresse en échec, et envoyer à nouveau',
  },
  test: {
    ...campaignCalls.test,
    access: 'quiz_owner',
    body: z.object({ ...words, kind: z.enum(['invitation', 'reminder']), ends_at: timestamp }),
    answer: z.object({ has_left: z.boolean(), message: z.string() }),
    summary:
      'Envoyer maintenant l’invitation ou le rappel à sa propre adresse, avec un lien d’exemple',
  },
})

/** Shape of the token of an invitation in a path. */
const token = z.object({ token: z.string().max(22) })

/** Replies of an unfinished run. */
const progress = z.object({
  version: z.int().min(1).max(MAX_POSTGRES_INTEGER),
  page_index: z.int().min(0).max(LIMITS.pages),
  // The state of the consent box is no reply to a question.
  replies: z.record(text(LIMITS.slug), publicQuiz.submit.body.shape.answers.valueType),
})

/** Calls of the page that an invited person opens. */
export const invitedRuns = group({
  submit: {
    ...invitedRunCalls.submit,
    access: 'link',
    limits: 'submit',
    creates: true,
    repeats: true,
    params: token,
    body: publicQuiz.submit.body,
    answer: publicQuiz.submit.answer,
    summary: 'Envoyer la réponse d’une personne invitée : une seule par invitation',
  },
  visit: {
    ...invitedRunCalls.visit,
    access: 'link',
    limits: 'snapshot',
    params: token,
    body: z.object({
      step: z.enum(['opened', 'started']),
      /** Replies of an unfinished run, so that it can be resumed on another device; never kept in anonymous campaigns. */
      progress: progress.optional(),
    }),
    summary:
      'Noter qu’une personne invitée a ouvert le questionnaire, et garder ses réponses en cours',
  },
  resume: {
    ...invitedRunCalls.resume,
    access: 'link',
    limits: 'snapshot',
    params: token,
    answer: z.object({ progress: progress.nullable() }),
    summary: 'Les réponses en cours d’une personne invitée, qu’elle reprend sur un autre appareil',
  },
})

/** Replies of an unfinished run of an invited person. */
export type RunProgress = z.output<typeof progress>
