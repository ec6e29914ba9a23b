import type { CSSProperties } from 'react'

/** The data colours as fills; whole names, so that the classes are found in the source. */
const FILLS = [
  'fill-d1',
  'fill-d2',
  'fill-d3',
  'fill-d4',
  'fill-d5',
  'fill-d6',
  'fill-d7',
  'fill-d8',
]

/** The fill of the colour of this index, which stays in forced colours; the ninth is the first again. */
export const fillClass = (index: number): string =>
  `forced-color-adjust-none ${FILLS[index % FILLS.length]}`

const COLORS = 8

/** The colour of a result wherever it is drawn, by its index in the list of results; the ninth is the first again. */
const resultColor = (index: number): string => `var(--color-d${(index % COLORS) + 1})`

/** The same for the classes that are drawn in a result's colour (`result-tint`), as a custom property. */
export const resultColorStyle = (index: number): CSSProperties & Record<'--result', string> => ({
  '--result': resultColor(index),
})
