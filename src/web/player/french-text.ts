import { createElement, Fragment, type ReactNode } from 'react'

/** A sign that French writes after a space, and the opening « with what it opens. */
const TIED = /( [?!:;»]+|« \S)/u

/** An address of the web or of a person, without the sign that ends its sentence or closes what it stands in. */
const ADDRESS =
  /\b((?:https?:\/\/|www\.)(?:[^\s()<>«»"“”]|\([^\s()]*\))*(?:[^\s()<>«»"“”.,;:!?…'’\]}*]|\([^\s()]*\))|(?:mailto:)?[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+)/i

const tied = (text: string): ReactNode[] =>
  text
    .split(TIED)
    .map((part, index) => (index % 2 ? createElement('span', { className: 'q-tied' }, part) : part))

/** Of the three schemes that lead out of a questionnaire, the one that an address has or means. */
const schemeOf = (address: string): string => {
  if (/^(?:https?|mailto):/i.test(address)) return ''
  return /^www\./i.test(address) ? 'https://' : 'mailto:'
}

/**
 * A text in which no « ? » stands alone on a line. The spaces are tied by style, so the text stays
 * the very one that was written.
 */
export const frenchText = (text: string) => createElement(Fragment, null, ...tied(text))

/** The same with its addresses as links; not for what is pressed itself, as a choice is. */
export const linkedText = (text: string) => {
  const parts = text
    .split(ADDRESS)
    .flatMap((part, index): ReactNode[] | ReactNode =>
      index % 2
        ? createElement(
            'a',
            { href: schemeOf(part) + part, target: '_blank', rel: 'noopener' },
            part,
          )
        : tied(part),
    )
  return createElement(Fragment, null, ...parts)
}
