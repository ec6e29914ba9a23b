import type { ContactData } from './contact.ts'

/** Returns the first and the last name in one text; null without both. */
export const fullNameOf = ({
  first_name,
  last_name,
}: Pick<ContactData, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter((name) => name !== null).join(' ') || null
