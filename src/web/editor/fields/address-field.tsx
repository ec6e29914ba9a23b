import { useState } from 'react'
import { isLinkAddress } from '#domain/common/addresses.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { TextField } from '#web/ui/form/text-field.tsx'

/**
 * Edits the web address of a button or a redirection. An invalid address stays in the field with the reason,
 * and the draft keeps the last valid one.
 */
export const AddressField = ({
  id,
  label,
  hint,
  address,
  onChange,
}: {
  id: string
  label: string
  hint?: string
  address: string | null
  onChange: (address: string | null) => void
}) => {
  // Typed text; null while the field shows the draft's address.
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const typedAddress = typed?.trim() ?? ''
  const isRefused = typedAddress !== '' && !isLinkAddress(typedAddress)
  const type = (text: string): void => {
    setTyped(text)
    setLeft(false)
    const trimmed = text.trim()
    if (trimmed === '' || isLinkAddress(trimmed)) onChange(trimmed || null)
  }
  const onBlur = (): void => {
    setLeft(true)
    if (!isRefused) setTyped(null)
  }
  return (
    <TextField
      id={id}
      label={label}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      value={typed ?? address ?? ''}
      maxLength={LIMITS.address}
      hint={hint}
      error={
        isRefused && isLeft
          ? 'L’adresse doit commencer par https:// et n’avoir ni espace, ni nom, ni mot de passe.'
          : undefined
      }
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={onBlur}
    />
  )
}
