/** Whose dots before the @ and whose tags after a plus lead to the same person. */
const DOTLESS = new Set(['gmail.com', 'googlemail.com'])

/**
 * What addresses that reach one mailbox have in common: case, a tag after a plus and, where dots mean nothing, those do not
 * count. It is what limits and refusals are counted by, never what is written to.
 */
export const mailboxOf = (email: string): string => {
  const typed = email.trim().toLowerCase().normalize()
  const at = typed.lastIndexOf('@')
  const domain = typed.slice(at + 1)
  const [name = ''] = typed.slice(0, Math.max(0, at)).split('+')
  if (!DOTLESS.has(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}

const ADDRESS =
  /^[^\s\p{Cc}@<>()[\],;:"\\]+@[^\s\p{Cc}@<>()[\],;:"\\]+\.[^\s\p{Cc}@<>()[\],;:"\\.]+$/u

/** Whether mail can be written to an address: one person, and nothing that a mail's headers would read otherwise. */
export const isMailable = (email: string): boolean => ADDRESS.test(email)
