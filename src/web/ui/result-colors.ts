import type { CSSProperties } from 'react'

/** Classes that fill a shape with a data colour; whole names, so that Tailwind finds them in the source. */
const FILL_CLASSES = [
  'fill-d1',
  'fill-d2',
  'fill-d3',
  'fill-d4',
  'fill-d5',
  'fill-d6',
  'fill-d7',
  'fill-d8',
]

/** Returns the position of a result's colour by its index in the list of results; colours repeat after the eighth. */
const colorIndex = (index: number): number => index % FILL_CLASSES.length

/** Returns the class that fills a shape with the colour of an index, also in forced colours. */
export const fillClass = (index: number): string =>
  `forced-color-adjust-none ${FILL_CLASSES[colorIndex(index)]}`

const resultColor = (index: number): string => `var(--color-d${colorIndex(index) + 1})`

/** Returns the style that gives the class `result-tint` the colour of a result. */
export const resultColorStyle = (index: number): CSSProperties & Record<'--result', string> => ({
  '--result': resultColor(index),
})
