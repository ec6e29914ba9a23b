import { Picture } from './picture.tsx'
import './logo.css'

/** The creator's sign, above what a page shows. */
export const Logo = ({ image_id }: { image_id: string | null | undefined }) =>
  image_id ? (
    <div className="q-logo">
      <Picture image_id={image_id} image_alt="" sizes="10rem" max_height={56} />
    </div>
  ) : null
