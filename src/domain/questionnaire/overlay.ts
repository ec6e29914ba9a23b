import { contrastRatio, readableTextColor, TEXT_CONTRAST } from './colors.ts'
import { imageAddress, pictureOf, sizesOf } from './images.ts'

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** What is seen of a picture's channel below a veil, as a #rrggbb colour; `round` goes to the side that is worse. */
const seen = (
  veil: string,
  pixel: number,
  share: number,
  round: (value: number) => number,
): string =>
  `#${channelsOf(veil)
    .map((own) => round(own * share + pixel * (1 - share)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

const STEPS = 100

/**
 * How opaque a veil of the background's colour has to be, from 0 to 1, so that text over it has 4.5 : 1 whatever the
 * picture below: what is seen of any pixel lies between what is seen of black and of white. 1, and so no
 * picture, where the text is not even readable on the background alone. Both are #rrggbb; the stronger text of
 * « Contraste renforcé » is counted in.
 */
export const overlayOpacity = (background: string, text: string): number => {
  const inks = [text, readableTextColor(background)]
  for (let step = 0; step < STEPS; step++) {
    const share = step / STEPS
    const darkest = seen(background, 0, share, Math.floor)
    const lightest = seen(background, 255, share, Math.ceil)
    const isReadable = (ink: string): boolean =>
      isBeyond(ink, darkest, lightest) &&
      contrastRatio(ink, darkest) >= TEXT_CONTRAST &&
      contrastRatio(ink, lightest) >= TEXT_CONTRAST
    if (inks.every(isReadable)) return share
  }
  return 1
}

/** Whether a text is darker or lighter than everything between two shades, and not between them. */
const isBeyond = (ink: string, darkest: string, lightest: string): boolean => {
  const toBlack = (color: string): number => contrastRatio(color, '#000000')
  return toBlack(ink) < toBlack(darkest) || toBlack(ink) > toBlack(lightest)
}

/** A page's background and the text on it, as #rrggbb. */
type VeilColors = { background: string; text: string }

/** The background of a page with a picture: the veil, the picture, and its colour until it is there; undefined when the id is no picture's. */
export const pictureBackground = (
  image_id: string,
  { background, text }: VeilColors,
  width = 800,
): string | undefined => {
  const picture = pictureOf(image_id)
  if (!picture) return undefined
  const sizes = sizesOf(picture.width)
  const size = sizes.find((one) => one >= width) ?? sizes.at(-1) ?? 400
  const veil = veilOf({ background, text })
  return `${veil},url(${imageAddress(image_id, size)}) center/cover ${picture.color}`
}

/** The same without the picture: what is seen until it is there. */
export const imagePlaceholder = (image_id: string, colors: VeilColors): string | undefined => {
  const picture = pictureOf(image_id)
  return picture && `${veilOf(colors)} ${picture.color}`
}

const veilOf = ({ background, text }: VeilColors): string => {
  const color = `rgb(${channelsOf(background).join(' ')}/${overlayOpacity(background, text)})`
  return `linear-gradient(${color},${color})`
}
