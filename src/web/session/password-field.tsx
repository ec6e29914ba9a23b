import { Eye, EyeOff } from 'lucide-react'
import { type Ref, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** A password field with a button that shows the password. */
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
  /** In place of sending the form; false sends it. */
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
