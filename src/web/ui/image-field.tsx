import { lazy, Suspense } from 'react'
import type { ImageFieldProps } from './image-picker.tsx'

/** A part of the screens that few quizzes need: it is loaded when it is shown. */
const ImagePicker = lazy(() =>
  import('./image-picker.tsx').catch(() => ({
    default: () => (
      <p role="alert" className="text-sm text-bad">
        Ce champ n’a pas pu être chargé. Vérifiez votre connexion, puis rechargez la page.
      </p>
    ),
  })),
)

/** A picture with its description: dropped, pasted or chosen, sent with its progress, replaced, removed. */
export const ImageField = (props: ImageFieldProps) => (
  <Suspense fallback={<div className="h-20 rounded-lg bg-wash" />}>
    <ImagePicker {...props} />
  </Suspense>
)
