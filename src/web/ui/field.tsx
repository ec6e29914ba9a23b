import { createContext, type ReactNode, useContext, useId } from 'react'

export const CONTROL =
  'w-full rounded-lg border border-field bg-paper px-3 text-base text-ink placeholder:text-ink-3 disabled:bg-wash disabled:text-ink-3 aria-invalid:border-bad pointer-coarse:min-h-11'

/** Reasons of refused fields by the id of their input. */
export const RefusedFields = createContext<Readonly<Record<string, string>>>({})

export type FieldTexts = { label: string; hideLabel?: boolean; error?: string; hint?: string }

/** The attributes that connect a control to its label, hint and error. */
type ControlAttributes = {
  id: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** Label, hint and error around one control. */
export const Field = ({
  id: givenId,
  label,
  hideLabel = false,
  error: ownError,
  hint,
  children,
}: FieldTexts & { id?: string; children: (attributes: ControlAttributes) => ReactNode }) => {
  const ownId = useId()
  const id = givenId ?? ownId
  const refused = useContext(RefusedFields)[id]
  const error = ownError ?? refused
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-ink'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': about || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
