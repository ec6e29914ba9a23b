import type { ReactNode } from 'react'
import { Brand } from '#web/ui/brand.tsx'

/** The frame of a screen with one message, in the style of login and sign-up. */
export const Notice = ({
  title,
  children,
  actions,
  way,
}: {
  title: string
  children: ReactNode
  /** Buttons below the message. */
  actions?: ReactNode
  way: ReactNode
}) => (
  <main className="flex min-h-dvh flex-col items-center justify-center bg-wash p-4">
    <title>{`${title} – Quizaine`}</title>
    <p className="mb-6">
      <Brand />
    </p>
    <div className="flex w-full max-w-sm flex-col gap-4 rounded-2xl bg-card p-6 shadow-card">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <div role="status" className="flex flex-col gap-2">
        {children}
      </div>
      {actions}
    </div>
    <p className="mt-4 max-w-sm text-center text-ink-2">{way}</p>
  </main>
)
