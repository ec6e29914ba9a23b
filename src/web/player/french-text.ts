import { createElement, Fragment } from 'react'

/** A sign that French writes after a space, and the opening « with what it opens. */
const TIED = /( [?!:;»]+|« \S)/u

/**
 * A text in which no « ? » stands alone on a line. The spaces are tied by style, so the text stays
 * the very one that was written.
 */
export const frenchText = (text: string) => {
  const parts = text.split(TIED)
  const tied = parts.map((part, index) =>
    index % 2 ? createElement('span', { className: 'q-tied' }, part) : part,
  )
  return createElement(Fragment, null, ...tied)
}
