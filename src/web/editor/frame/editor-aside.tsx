import { type ReactNode, Suspense } from 'react'
import type { PreviewProps } from '#web/preview/live-preview.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'

/** Live preview, loaded after the fields. */
const LivePreview = lazyPart<PreviewProps>(
  () => import('#web/preview/live-preview.tsx').then((part) => ({ default: part.LivePreview })),
  'L’aperçu n’a pas pu être chargé.',
)

/** Shows the live preview in the right column of wide screens, with other parts below. */
export const EditorAside = ({
  label,
  children,
  ...preview
}: PreviewProps & { label: string; children?: ReactNode }) => (
  <aside aria-label={label} className="border-l border-line bg-wash">
    <div className="sticky top-25 flex max-h-[calc(100dvh-6.25rem)] flex-col gap-5 overflow-y-auto p-5">
      <Suspense fallback={<div className="h-[30rem] shrink-0" />}>
        <LivePreview {...preview} />
      </Suspense>
      {children}
    </div>
  </aside>
)
