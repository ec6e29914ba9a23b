import type { ContactData } from './contact.ts'

/** Name of a person in two parts. */
export type ContactName = Pick<ContactData, 'first_name' | 'last_name'>

/** Returns the first and the last name in one text; null without both. */
export const fullNameOf = ({ first_name, last_name }: ContactName): string | null =>
  [first_name, last_name].filter((name) => name !== null).join(' ') || null
