import { Eye, EyeOff } from 'lucide-react'
import { type FormEvent, type ReactNode, type Ref, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { Brand, LegalLinks } from '#web/ui/brand.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/** Renders the field for the address of an account. */
export const EmailField = ({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => (
  <TextField
    ref={focusAtFirst}
    label="Email"
    type="email"
    value={value}
    error={error}
    required
    maxLength={LIMITS.email}
    autoComplete="email"
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

/**
 * Focuses the empty field when the screen opens. Touch devices are excluded, because their keyboard would cover the
 * screen.
 */
const focusAtFirst = (field: HTMLInputElement | null): void => {
  if (field?.value === '' && matchMedia('(pointer: fine)').matches) field.focus()
}

/** Returns the error of an email address; undefined when it is valid. */
export const emailError = (email: string): string | undefined => {
  if (email.trim() === '') return 'L’adresse email est obligatoire'
  const isPlausible = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(email.trim())
  return isPlausible ? undefined : 'Adresse attendue de la forme nom@exemple.fr'
}

/** Renders a password field with a button that shows the password. */
export const PasswordField = ({
  label,
  hint,
  value,
  error,
  autoComplete,
  ref,
  onChange,
  onEnter,
}: {
  label: string
  hint?: string
  value: string
  error: string | undefined
  autoComplete: 'current-password' | 'new-password'
  ref?: Ref<HTMLInputElement>
  onChange: (value: string) => void
  /** Called on Enter; returns true to keep the form from being sent. */
  onEnter?: () => boolean
}) => {
  const [isShown, setShown] = useState(false)
  return (
    <div className="relative">
      <TextField
        ref={ref}
        label={label}
        hint={hint}
        type={isShown ? 'text' : 'password'}
        value={value}
        error={error}
        required
        autoComplete={autoComplete}
        className="pr-12"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && onEnter?.()) event.preventDefault()
        }}
      />
      <IconButton
        label={isShown ? 'Masquer la saisie' : 'Afficher la saisie'}
        icon={isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute top-6.5 right-0.5 pointer-coarse:top-6 pointer-coarse:right-0"
      />
    </div>
  )
}

/** Errors of an authentication form, by field; `form` is an error of the whole form. */
export type Errors = Partial<Record<'email' | 'password' | 'confirmation' | 'form', string>>

/**
 * Renders the common frame of sign-in and sign-up: logo, title, fields, one button, a link to another screen. Without
 * `action` there is no button, for screens whose content has buttons of its own.
 */
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
  action?: string | undefined
  busy_action: string
  isBusy: boolean
  error: string | undefined
  onSubmit: () => void
  children: ReactNode
  other: ReactNode
  /** Shown next to the form on wide screens. */
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
          {action && (
            <Button type="submit" variant="primary" size="large" busy={isBusy}>
              {isBusy ? busy_action : action}
            </Button>
          )}
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
