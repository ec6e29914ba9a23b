import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { PreviewProps } from '#web/preview/live-preview.tsx'

/** Live preview, loaded after the fields; nothing is shown in its place if loading fails. */
const LivePreview = lazy(
  (): Promise<{ default: ComponentType<PreviewProps> }> =>
    import('#web/preview/live-preview.tsx')
      .then((part) => ({ default: part.LivePreview }))
      // Separate from `then`, so that it also catches failures of styles, which load before the module.
      .catch(() => ({ default: () => null })),
)

/** Shows the live preview in the right column of wide screens, with other parts below. */
export const EditorAside = ({
  label,
  children,
  ...preview
}: PreviewProps & { label: string; children?: ReactNode }) => (
  <aside aria-label={label} className="border-l border-line bg-wash">
    <div className="sticky top-14 flex max-h-[calc(100dvh-3.5rem)] flex-col gap-5 overflow-y-auto p-5">
      <Suspense fallback={<div className="h-[30rem] shrink-0" />}>
        <LivePreview {...preview} />
      </Suspense>
      {children}
    </div>
  </aside>
)
