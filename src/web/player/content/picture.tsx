import { imageAddress, pictureOf, sizesOf } from '#domain/questionnaire/images.ts'
import './picture.css'
import './logo.css'

type Props = {
  /** Without a picture, nothing is rendered. */
  image_id: string | null | undefined
  /** '' for a decorative picture. */
  image_alt: string | null | undefined
  /** How wide it is shown, as `<img sizes>` takes it; as wide as the player unless given. */
  sizes?: string
  /** How high it is shown at most, in pixels; its place is as small before it arrives. */
  max_height?: number
}

/** Within the player's padding; of an upright picture less (picture.css). */
const WHOLE_WIDTH = 'min(40rem,100vw - 2rem)'
const UPRIGHT_WIDTH = 'min(20rem,100vw - 2rem)'

/**
 * A picture at its place, which has its size and its colour before the bytes arrive. The colour is drawn by an
 * attribute: the page's policy allows no style attributes.
 */
export const Picture = ({ image_id, image_alt, sizes, max_height }: Props) => {
  const picture = image_id && pictureOf(image_id)
  if (!picture) return null
  const { width, height, color, is_opaque, is_dark } = picture
  const scale = Math.min(1, (max_height ?? height) / height)
  const files = sizesOf(width)
  const names = ['q-picture']
  if (height > width) names.push('q-upright')
  // The description stands on the colour while the picture is away.
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
        // Also of a picture in view: it is asked for once the text is laid out, which a slow phone shows before.
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

/** The creator's sign, above what a page shows. */
export const Logo = ({ image_id }: { image_id: string | null | undefined }) =>
  image_id ? (
    <div className="q-logo">
      <Picture image_id={image_id} image_alt="" sizes="10rem" max_height={56} />
    </div>
  ) : null
