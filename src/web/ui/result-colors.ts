import type { CSSProperties } from 'react'

const COLORS = 8

/** The colour of a result wherever it is drawn, by its index in the list of results; the ninth is the first again. */
const resultColor = (index: number): string => `var(--color-d${(index % COLORS) + 1})`

/** The same for the classes that are drawn in a result's colour (`result-tint`), as a custom property. */
export const resultTint = (index: number): CSSProperties & Record<'--result', string> => ({
  '--result': resultColor(index),
})
