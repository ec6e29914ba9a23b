import type { ContactRole, QuestionType } from '#domain/common/vocabulary.ts'

/** Type of the questions that can have each role. */
const ROLE_TYPES: Record<ContactRole, QuestionType> = {
  first_name: 'text',
  last_name: 'text',
  phone: 'phone',
}

/** French names of the roles, on screens and in exports. */
export const CONTACT_ROLE_LABELS: Record<ContactRole, string> = {
  first_name: 'Prénom',
  last_name: 'Nom',
  phone: 'Téléphone',
}

/** Returns true if a question of this type can have the role. */
export const canHaveRole = (type: QuestionType, role: ContactRole): boolean =>
  ROLE_TYPES[role] === type

type RoleInput = { type: QuestionType; contact_role?: ContactRole | null | undefined }

/** Returns the role of a question; null without a role, and for a role that does not fit the type. */
export const contactRoleOf = ({ type, contact_role }: RoleInput): ContactRole | null =>
  contact_role && canHaveRole(type, contact_role) ? contact_role : null

const ROLE_AUTOCOMPLETE: Record<ContactRole, string> = {
  first_name: 'given-name',
  last_name: 'family-name',
  phone: 'tel',
}
const TYPE_AUTOCOMPLETE: Partial<Record<QuestionType, string>> = { email: 'email', phone: 'tel' }

/** Returns the HTML `autocomplete` token of the field of a question; undefined if browsers cannot know the reply. */
export const autocompleteOf = (question: RoleInput): string | undefined => {
  const role = contactRoleOf(question)
  return role ? ROLE_AUTOCOMPLETE[role] : TYPE_AUTOCOMPLETE[question.type]
}
