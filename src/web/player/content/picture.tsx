/** @jsxImportSource #web/player */
import { imageAddress, imagePropertiesOf, sizesOf } from '#domain/questionnaire/images.ts'
import type { PictureProps } from '#web/player/parts.ts'
import './picture.css'
import './logo.css'

/** Width of a picture inside the player's padding; an upright picture is narrower (picture.css). */
const WHOLE_WIDTH = 'min(40rem,100vw - 2rem)'
const UPRIGHT_WIDTH = 'min(20rem,100vw - 2rem)'

/**
 * Renders a picture in a place that has its size and its colour before the file arrives. The colour is an SVG
 * attribute, because the page's policy allows no style attributes.
 */
export const Picture = ({ image_id, image_alt, sizes, max_height }: PictureProps) => {
  const picture = image_id && imagePropertiesOf(image_id)
  if (!picture) return null
  const { width, height, color, is_opaque, is_dark } = picture
  const scale = Math.min(1, (max_height ?? height) / height)
  const files = sizesOf(width)
  const names = ['q-picture']
  if (height > width) names.push('q-upright')
  // The description is readable on the colour until the picture is loaded.
  if (is_opaque) names.push(is_dark ? 'q-dark' : 'q-light')
  return (
    <span className={names.join(' ')}>
      {is_opaque && (
        <svg aria-hidden="true" fill={color}>
          <rect width="100%" height="100%" />
        </svg>
      )}
      <img
        alt={image_alt ?? ''}
        width={Math.round(width * scale)}
        height={Math.round(height * scale)}
        // Also for a visible picture, so that a slow phone shows the text before it requests the file.
        loading="lazy"
        decoding="async"
        sizes={sizes ?? (height > width ? UPRIGHT_WIDTH : WHOLE_WIDTH)}
        srcSet={files
          .map((size) => `${imageAddress(image_id, size)} ${Math.min(size, width)}w`)
          .join()}
        src={imageAddress(image_id, files[0] ?? 400)}
      />
    </span>
  )
}
