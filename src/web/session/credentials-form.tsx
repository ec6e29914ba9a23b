import type { FormEvent, ReactNode } from 'react'
import { Brand } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { LegalLinks } from '#web/ui/legal-links.tsx'

export type Errors = Partial<Record<'email' | 'password' | 'confirmation' | 'form', string>>

/** The common frame of login and sign-up: logo, title, fields, one button, a link to the other screen. */
export const CredentialsForm = ({
  title,
  action,
  busy_action,
  isBusy,
  error,
  onSubmit,
  children,
  other,
}: {
  title: string
  action: string
  busy_action: string
  isBusy: boolean
  error: string | undefined
  onSubmit: () => void
  children: ReactNode
  other: ReactNode
}) => {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-wash p-4">
      <title>{`${title} – Quizaine`}</title>
      <p className="mb-6">
        <Brand />
      </p>
      <form
        noValidate
        onSubmit={submit}
        className="flex w-full max-w-sm flex-col gap-4 rounded-xl border border-line bg-paper p-6"
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
    </main>
  )
}

/** Focuses the first invalid field of a form. */
export const focusFirstError = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
