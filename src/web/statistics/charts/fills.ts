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
export const fillOf = (index: number): string =>
  `forced-color-adjust-none ${FILLS[index % FILLS.length]}`
