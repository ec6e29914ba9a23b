import type { FormEvent, ReactNode } from 'react'
import { Brand } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { LegalLinks } from '#web/ui/legal-links.tsx'

export type Errors = Partial<Record<'email' | 'password' | 'confirmation' | 'form', string>>

/** The common frame of signing in and up: logo, title, fields, one button, a link to another screen. */
export const CredentialsForm = ({
  title,
  action,
  busy_action,
  isBusy,
  error,
  onSubmit,
  children,
  other,
  beside,
}: {
  title: string
  action: string
  busy_action: string
  isBusy: boolean
  error: string | undefined
  onSubmit: () => void
  children: ReactNode
  other: ReactNode
  /** Shown beside the form on wide screens. */
  beside?: ReactNode
}) => {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  return (
    <main className="@container flex min-h-dvh bg-wash">
      <title>{`${title} – Quizaine`}</title>
      <div className="flex min-w-0 flex-1 flex-col items-center justify-center p-4">
        <p className="mb-6">
          <Brand />
        </p>
        <form
          noValidate
          onSubmit={submit}
          className="flex w-full max-w-sm flex-col gap-4 rounded-2xl bg-card p-6 shadow-card"
        >
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {children}
          <p role="alert" className="text-sm text-bad empty:hidden">
            {error}
          </p>
          <Button type="submit" variant="primary" size="large" busy={isBusy}>
            {isBusy ? busy_action : action}
          </Button>
        </form>
        <p className="mt-4 text-center text-ink-2">{other}</p>
        <div className="mt-8">
          <LegalLinks />
        </div>
      </div>
      {beside}
    </main>
  )
}

/** Focuses the first invalid field of a form. */
export const focusFirstError = (within: ParentNode = document): void => {
  requestAnimationFrame(() => within.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
