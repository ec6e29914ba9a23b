import type { ReactNode } from 'react'

/** A part of the screen, with a heading by which it is found. */
export const Card = ({
  id,
  title,
  action,
  className = '',
  children,
}: {
  id: string
  title: string
  action?: ReactNode
  className?: string
  children: ReactNode
}) => (
  <section
    aria-labelledby={id}
    className={`flex min-w-0 break-inside-avoid flex-col gap-3 rounded-xl bg-card p-4 shadow-card sm:p-5 ${className}`}
  >
    <div className="flex flex-wrap items-center justify-between gap-2">
      <h2 id={id} tabIndex={-1} className="text-base leading-6 font-semibold wrap-anywhere">
        {title}
      </h2>
      {action}
    </div>
    {children}
  </section>
)
