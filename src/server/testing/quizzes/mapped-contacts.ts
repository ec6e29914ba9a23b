import { CONTACT_ROLES, type ContactRole, type ProviderName } from '#domain/common/vocabulary.ts'
import { rolesWithoutField } from '#domain/deliveries/account-fields.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'
import { askForContact, type ContactQuiz, contactReplies } from './contact-questions.ts'
import type { SampleQuiz } from './sample-quizzes.ts'

/** Mapped fields of a quiz, by the kind of value that they receive. Their keys are the names in lower case. */
export const MAPPED_FIELDS = { question: 'AGENDA', score: 'POINTS', result: 'PROFIL' } as const
type MappedField = keyof typeof MAPPED_FIELDS
const MAPPED = Object.keys(MAPPED_FIELDS) as MappedField[]

/** Field of a contact: a part of the contact data, or a mapped value. */
export type ContactField = ContactRole | MappedField
/** Fields of a contact in order. */
export const CONTACT_FIELDS: readonly ContactField[] = [...CONTACT_ROLES, ...MAPPED]

const isRole = (field: ContactField): field is ContactRole =>
  CONTACT_ROLES.some((role) => role === field)

/** Returns the name of a field in the ledger. */
export const ledgerNameOf = (field: ContactField): string =>
  isRole(field) ? CONTACT_ROLE_LABELS[field] : MAPPED_FIELDS[field]

/** Returns the fields of a contact that a tool has. */
export const fieldsAt = (provider: ProviderName): ContactField[] =>
  CONTACT_FIELDS.filter((field) => !isRole(field) || !rolesWithoutField(provider).includes(field))

/** Person who answers a quiz; the choice is the place of an answer. */
export type Respondent = Record<ContactRole, string> & { email: string; choice: number }

const MAPPED_VALUES: readonly Record<MappedField, string>[] = [
  { question: 'Rempli', score: '1', result: 'Pas à pas' },
  { question: 'Libre', score: '5', result: 'Grand saut' },
]
const KEYS: Record<ProviderName, Record<ContactRole, string>> = {
  convertkit: { first_name: 'first_name', last_name: '', phone: '' },
  systemio: { first_name: 'first_name', last_name: 'surname', phone: 'phone_number' },
  brevo: { first_name: 'prenom', last_name: 'nom', phone: 'sms' },
}

/** Returns the key of a field at a tool, in lower case. */
export const keyAt = (provider: ProviderName, field: ContactField): string =>
  isRole(field) ? KEYS[provider][field] : MAPPED_FIELDS[field].toLowerCase()

/** Returns the value that a tool shows for a field of a person; '' for a blank field. Phone numbers are French. */
export const valueAt = (
  provider: ProviderName,
  field: ContactField,
  { choice, ...person }: Respondent,
): string => {
  if (!isRole(field)) return MAPPED_VALUES[choice]?.[field] ?? ''
  const typed = person[field]
  if (field !== 'phone' || typed === '') return typed
  return `${provider === 'systemio' ? '+' : ''}33${typed.slice(1)}`
}

/** Returns helpers that create quizzes with contact data and mapped fields, and submit people. */
export const createMappedContacts = ({ submitReplies }: Pick<OutboxApp, 'submitReplies'>) => ({
  /** Maps an answer, the score and the result at these tools, asks for contact data, and publishes the quiz. */
  addContactFields: async (
    { client }: Pick<ConnectedCreator, 'client'>,
    quiz: SampleQuiz,
    providers: readonly ProviderName[],
  ): Promise<ContactQuiz> => {
    const { id, question_id } = quiz
    for (const provider of providers)
      for (const source of MAPPED) {
        const of = source === 'question' ? { question_id } : {}
        const field_name = MAPPED_FIELDS[source]
        await client.fieldMappings.add({ id, body: { provider, source, field_name, ...of } })
      }
    return askForContact(client, quiz)
  },

  submitRespondent: (quiz: ContactQuiz, { choice, ...person }: Respondent) =>
    submitReplies(quiz, contactReplies(quiz, person, choice)),
})
