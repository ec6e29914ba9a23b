import type { ContactRole, QuestionType, QuizType } from '#domain/common/vocabulary.ts'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { questionName } from '#domain/questionnaire/grids/question-names.ts'
import {
  type ParameterValues,
  sortParameters,
  utmParameters,
} from '#domain/questionnaire/parameters.ts'
import { isSondage, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { type ContactData, contactDataOf, NO_CONTACT } from '#domain/run/contact/contact.ts'
import { chosenAnswers, chosenTexts, formatReply } from '#domain/run/replies.ts'
import {
  type DimensionPercents,
  packDimensions,
  readDimensions,
  type WrittenDimension,
  writeDimensions,
} from '#domain/run/stored-dimensions.ts'
import { packReplies, type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'

/** Type of the event of a new participant. */
export const RESPONSE_CREATED = 'response.created'
/** Type of the event of an erased participant. */
export const PERSON_ERASED = 'person.erased'
const TEST_EVENT = 'test'

/** Stored participant. */
export type EventResponse = StoredReplies &
  ContactData & {
    participant_uuid: string
    version: number
    /** ISO 8601 in UTC. */
    created_at: string
    email: string | null
    result_position: number | null
    score: number | null
    dimension_percents: DimensionPercents | null
    consent_version: number | null
    measure_version: number | null
    elapsed_seconds: number | null
    parameters: ParameterValues | null
    /** State of the confirmation of the address; null if the participant was not asked. */
    email_confirmation: ConfirmationState | null
    /** ISO 8601 in UTC; null unless the participant confirmed the address. */
    email_confirmed_at: string | null
  }

/** State of the address in an event. */
type EmailStatus = 'not_asked' | 'confirmed' | 'not_confirmed'

type EventReply = {
  question_id: string
  question: string
  /** Short name of the question, or its text after the title of its grid. */
  label: string
  type: QuestionType
  /** Reply as text: texts of the chosen answers, or a day in French. */
  answer: string
  /** Texts of the chosen answers, « Autre » with its text last; empty for a question without answers. */
  choices: string[]
  /** Ids of the chosen answers in their order, without « Autre… ». */
  answer_ids: string[]
}

/** Body of a webhook event, with the names of docs/webhooks.md. */
export type WebhookEvent = {
  type: typeof RESPONSE_CREATED | typeof TEST_EVENT
  timestamp: string
  data: {
    quiz: { id: string; name: string; type: QuizType }
    version: number
    participant_id: string
    created_at: string
    /** Null without an address, after a refusal of consent, and if the participant did not confirm the address. */
    email: string | null
    /** 'not_asked' if the quiz did not ask for a confirmation (docs/decisions/080). */
    email_status: EmailStatus
    email_confirmed_at: string | null
    /** Address, names and phone number; all null if the participant declined consent. */
    contact: { email: string | null } & ContactData
    replies: EventReply[]
    /** Null for a sondage, and for a quiz without scores. */
    score: number | null
    /** Dimensions that the participant was shown; empty without dimensions. */
    dimensions: WrittenDimension[]
    /** Null for a sondage. */
    result: { id: string; name: string } | null
    consent: { state: 'agreed' | 'declined' | 'not_asked'; text_version: number | null }
    /** Consent to measuring openings and clicks. */
    measure_consent: WebhookEvent['data']['consent']
    duration_seconds: number | null
    parameters: ParameterValues
    /** Address of the page of the participant; absent unless the quiz keeps such pages. */
    result_url?: string
  }
}

const consentOf = (version: number | null): WebhookEvent['data']['consent'] => {
  if (version === null) return { state: 'not_asked', text_version: null }
  if (version === 0) return { state: 'declined', text_version: null }
  return { state: 'agreed', text_version: version }
}

const emailStatusOf = ({ email_confirmation: state }: EventResponse): EmailStatus => {
  if (state === null) return 'not_asked'
  return state === 'confirmed' ? 'confirmed' : 'not_confirmed'
}

/** Returns true if the address of a participant is not sent: the consent was declined, or the address not confirmed. */
const isEmailWithheld = (response: EventResponse): boolean =>
  response.consent_version === 0 || emailStatusOf(response) === 'not_confirmed'

/** Returns true for questions whose replies are not sent: contact data without consent, and withheld addresses. */
const isWithheld = (question: SnapshotQuestion, response: EventResponse): boolean =>
  question.type === 'email'
    ? isEmailWithheld(response)
    : response.consent_version === 0 && contactRoleOf(question) !== null

const contactOf = (response: EventResponse): WebhookEvent['data']['contact'] => {
  const { email, first_name, last_name, phone, consent_version } = response
  if (consent_version === 0) return { email: null, ...NO_CONTACT }
  return { email: isEmailWithheld(response) ? null : email, first_name, last_name, phone }
}

/** Returns UTM parameters alone if the address is withheld, because declared parameters may hold an address. */
const parametersOf = (response: EventResponse): ParameterValues =>
  isEmailWithheld(response)
    ? utmParameters(response.parameters)
    : sortParameters(response.parameters)

const repliesOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  response: EventResponse,
): EventReply[] => {
  const replies = unpackReplies({ questions }, response)
  return questions.flatMap((question) => {
    const answer = formatReply(question, replies)
    if (answer === '' || isWithheld(question, response)) return []
    const { id, text, type } = question
    const label = questionName(questions, question)
    const answer_ids = chosenAnswers(question, replies).map((chosen) => chosen.id)
    return {
      question_id: id,
      question: text,
      label,
      type,
      answer,
      choices: chosenTexts(question, replies),
      answer_ids,
    }
  })
}

/**
 * Returns the event of one participant, from the version that they took. Each call returns an equal event, because
 * neither ever changes; only `result_url` follows the setting of the quiz. Questions without a reply are omitted.
 */
export const eventOf = (
  snapshot: Snapshot,
  {
    quiz_id,
    response,
    result_url,
  }: { quiz_id: string; response: EventResponse; result_url?: string | undefined },
): WebhookEvent => {
  const { version, participant_uuid, created_at, score, consent_version } = response
  const contact = contactOf(response)
  const result = snapshot.results[response.result_position ?? -1]
  const { name, type } = snapshot.quiz
  return {
    type: RESPONSE_CREATED,
    timestamp: created_at,
    data: {
      quiz: { id: quiz_id, name, type },
      version,
      participant_id: participant_uuid,
      created_at,
      email: contact.email,
      email_status: emailStatusOf(response),
      email_confirmed_at: response.email_confirmed_at,
      contact,
      replies: repliesOf(snapshot, response),
      score,
      dimensions: writeDimensions(readDimensions(snapshot, response.dimension_percents)),
      result: result ? { id: result.id, name: result.name } : null,
      consent: consentOf(consent_version),
      measure_consent: consentOf(response.measure_version),
      duration_seconds: response.elapsed_seconds,
      parameters: parametersOf(response),
      ...(result_url !== undefined && { result_url }),
    },
  }
}

/** Body of the event that tells a webhook about an erased participant, without personal data. */
export type ErasedEvent = {
  type: typeof PERSON_ERASED
  timestamp: string
  data: { quiz: { id: string }; participant_id: string }
}

/** Returns the event of an erased participant. Each call returns an equal event. */
export const erasedEventOf = ({
  quiz_id,
  participant_uuid,
  erased_at,
}: {
  quiz_id: string
  participant_uuid: string
  /** ISO 8601 in UTC. */
  erased_at: string
}): ErasedEvent => ({
  type: PERSON_ERASED,
  timestamp: erased_at,
  data: { quiz: { id: quiz_id }, participant_id: participant_uuid },
})

const SAMPLE_EMAIL = 'camille@exemple.fr'
const SAMPLE_PARTICIPANT = '00000000-0000-4000-8000-000000000000'
const SAMPLE_TEXTS: Record<Exclude<QuestionType, 'multiple_choice' | 'scale'>, string> = {
  text: 'Exemple',
  textarea: 'Exemple',
  email: SAMPLE_EMAIL,
  phone: '06 12 34 56 78',
  number: '1',
  date: '2026-01-31',
}

const SAMPLE_CONTACT: Record<ContactRole, string> = {
  first_name: 'Camille',
  last_name: 'Durand',
  phone: SAMPLE_TEXTS.phone,
}

const sampleReply = (question: SnapshotQuestion): string => {
  const { type, answers, scale_max } = question
  const role = contactRoleOf(question)
  if (role !== null) return SAMPLE_CONTACT[role]
  if (type === 'multiple_choice') return answers[0]?.id ?? ''
  return type === 'scale' ? String(scale_max ?? 5) : SAMPLE_TEXTS[type]
}

/** Returns sample replies: the first answer to each question, and example texts. */
export const sampleReplies = ({ questions }: Pick<Snapshot, 'questions'>): Replies =>
  Object.fromEntries(questions.map((question) => [question.id, sampleReply(question)]))

/** Returns a test event with sample replies. */
export const sampleEvent = (
  snapshot: Snapshot,
  { quiz_id, version, now }: { quiz_id: string; version: number; now: Date },
): WebhookEvent => {
  const replies = sampleReplies(snapshot)
  const response: EventResponse = {
    ...packReplies(snapshot, replies),
    ...contactDataOf(snapshot.questions, replies),
    participant_uuid: SAMPLE_PARTICIPANT,
    version,
    created_at: now.toISOString(),
    email: SAMPLE_EMAIL,
    result_position: isSondage(snapshot.quiz) || snapshot.results.length === 0 ? null : 0,
    score: null,
    dimension_percents: packDimensions(snapshot, replies),
    consent_version: null,
    measure_version: null,
    elapsed_seconds: 60,
    parameters: { utm_source: 'newsletter' },
    email_confirmation: null,
    email_confirmed_at: null,
  }
  return { ...eventOf(snapshot, { quiz_id, response }), type: TEST_EVENT }
}
