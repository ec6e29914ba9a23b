/** @jsxImportSource #web/player */
import { keepServerMarkup } from '#web/player/keep-server-markup.ts'
import { type PictureProps, parts } from '#web/player/parts.ts'

/** Renders a picture. Keeps the picture that the server has rendered until the second file has the component. */
export const PictureSlot = (props: PictureProps) =>
  props.image_id ? (parts.Picture?.(props) ?? keepServerMarkup(<span />)) : null

/** Renders the creator's logo above the content of a page. */
export const Logo = ({ image_id }: { image_id: string | null | undefined }) =>
  image_id ? (
    <div className="q-logo">
      <PictureSlot image_id={image_id} image_alt="" sizes="10rem" max_height={56} />
    </div>
  ) : null
