import { createElement, Fragment, type ReactNode } from 'react'
import { tied } from './french-text.ts'

/** A web or email address, without the punctuation that ends its sentence or a bracket that closes around it. */
const ADDRESS =
  /\b((?:https?:\/\/|www\.)(?:[^\s()<>«»"“”]|\([^\s()]*\))*(?:[^\s()<>«»"“”.,;:!?…'’\]}*]|\([^\s()]*\))|(?:mailto:)?[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+)/i

/** How a link of a text opens. */
export const NEW_TAB = { target: '_blank', rel: 'noopener' }

/** The scheme of an address, of the three that a link may have; added where the address has none. */
const schemeOf = (address: string): string => {
  if (/^(?:https?|mailto):/i.test(address)) return ''
  return /^www\./i.test(address) ? 'https://' : 'mailto:'
}

/** A French text with its addresses as links; not for clickable texts such as choices. */
export const linkedText = (text: string) => {
  const parts = text
    .split(ADDRESS)
    .flatMap((part, index): ReactNode[] | ReactNode =>
      index % 2
        ? createElement('a', { href: schemeOf(part) + part, ...NEW_TAB }, part)
        : tied(part),
    )
  return createElement(Fragment, null, ...parts)
}
