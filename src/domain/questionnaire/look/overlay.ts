import { imageAddress, imagePropertiesOf, sizesOf } from '#domain/questionnaire/images.ts'
import {
  channelsOf,
  contrastRatio,
  hexColorOf,
  readableTextColor,
  TEXT_CONTRAST,
} from './colors.ts'

/**
 * Returns the colour of a grey pixel below an overlay, as #rrggbb. `pixel` is its brightness from 0 to 255, `share` is
 * the opacity of the overlay, and `round` rounds each channel.
 */
const blendOverlay = (
  overlay: string,
  pixel: number,
  share: number,
  round: (value: number) => number,
): string =>
  hexColorOf(channelsOf(overlay).map((value) => round(value * share + pixel * (1 - share))))

const STEPS = 100

/**
 * Returns the opacity, from 0 to 1, at which text on an overlay of the background colour has a contrast of 4.5.
 * Contrast is checked over black and white, because every image pixel lies between them. Returns 1, which hides the
 * image, if the text is unreadable on the background alone.
 */
export const overlayOpacity = (background: string, text: string): number => {
  const inks = [text, readableTextColor(background)]
  for (let step = 0; step < STEPS; step++) {
    const share = step / STEPS
    const darkest = blendOverlay(background, 0, share, Math.floor)
    const lightest = blendOverlay(background, 255, share, Math.ceil)
    const isReadable = (ink: string): boolean =>
      isBeyond(ink, darkest, lightest) &&
      contrastRatio(ink, darkest) >= TEXT_CONTRAST &&
      contrastRatio(ink, lightest) >= TEXT_CONTRAST
    if (inks.every(isReadable)) return share
  }
  return 1
}

/** Returns true if the text colour is darker or lighter than all colours between two shades. */
const isBeyond = (ink: string, darkest: string, lightest: string): boolean => {
  const toBlack = (color: string): number => contrastRatio(color, '#000000')
  return toBlack(ink) < toBlack(darkest) || toBlack(ink) > toBlack(lightest)
}

/** Background colour of a page and the colour of its text, as #rrggbb. */
type OverlayColors = { background: string; text: string }

/**
 * Returns the CSS background of a page with an image: overlay, image and placeholder colour. Undefined if the id is
 * not an image id.
 */
export const pictureBackground = (
  image_id: string,
  { background, text }: OverlayColors,
  width = 800,
): string | undefined => {
  const picture = imagePropertiesOf(image_id)
  if (!picture) return undefined
  const sizes = sizesOf(picture.width)
  const size = sizes.find((candidate) => candidate >= width) ?? sizes.at(-1) ?? 400
  const overlay = overlayOf({ background, text })
  return `${overlay},url(${imageAddress(image_id, size)}) center/cover ${picture.color}`
}

/** Returns the CSS background until the image has loaded: the overlay on the image's average colour. */
export const imagePlaceholder = (image_id: string, colors: OverlayColors): string | undefined => {
  const picture = imagePropertiesOf(image_id)
  return picture && `${overlayOf(colors)} ${picture.color}`
}

const overlayOf = ({ background, text }: OverlayColors): string => {
  const color = `rgb(${channelsOf(background).join(' ')}/${overlayOpacity(background, text)})`
  return `linear-gradient(${color},${color})`
}
