import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Renders a list of names with their values, in one column on phones. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid gap-x-6 gap-y-3 @md:grid-cols-2 @2xl:grid-cols-3">{children}</dl>
)

/** Renders a name with its value. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-ink-2">{name}</dt>
    <dd className="font-medium wrap-anywhere tabular-nums">{children}</dd>
  </div>
)

/** Renders a warning with a sign, so that it never depends on the colour alone. */
export const Warning = ({ children }: { children: ReactNode }) => (
  <p className="flex items-start gap-2 rounded-md bg-warn-wash px-3 py-2 text-sm text-warn">
    <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </p>
)

/** Renders grey lines in place of a section that is loading. */
export const Skeleton = ({ lines }: { lines: number }) => (
  <div aria-hidden="true" className="flex flex-col gap-3">
    {Array.from({ length: lines }, (_, line) => line).map((line) => (
      <div key={line} className="h-5 w-3/4 rounded-md bg-press" />
    ))}
  </div>
)
