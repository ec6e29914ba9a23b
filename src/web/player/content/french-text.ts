import { createElement, Fragment, type ReactNode } from 'react'

/** Punctuation that French sets after a space, and an opening « with the character after it. */
const NON_BREAKING = /( [?!:;»]+|« \S)/u

/** Splits a text into nodes so that French punctuation stays on the line of its word. */
export const keepPunctuation = (text: string): ReactNode[] =>
  text
    .split(NON_BREAKING)
    .map((part, index) => (index % 2 ? createElement('span', { className: 'q-tied' }, part) : part))

/**
 * Renders a text whose French punctuation does not wrap to a line of its own. A style keeps the spaces together, so
 * that the text itself is unchanged.
 */
export const frenchText = (text: string) => createElement(Fragment, null, ...keepPunctuation(text))
