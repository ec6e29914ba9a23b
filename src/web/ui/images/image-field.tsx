import { Suspense } from 'react'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import type { ImageFieldProps } from './image-picker.tsx'

const ImagePicker = lazyPart(() => import('./image-picker.tsx'), 'Ce champ n’a pas pu être chargé.')

/** Renders the field of a picture and its description: a file is dropped, pasted or chosen. */
export const ImageField = (props: ImageFieldProps) => (
  <Suspense
    fallback={
      <div
        data-loading={props.alt_id}
        className={`rounded-lg bg-wash ${props.image_id ? 'h-96 sm:h-52' : 'h-20'}`}
      />
    }
  >
    <ImagePicker {...props} />
  </Suspense>
)
