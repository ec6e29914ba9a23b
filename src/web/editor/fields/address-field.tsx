import { useRef, useState } from 'react'
import { type LinkProblem, readTypedLink } from '#domain/common/addresses.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { TextField } from '#web/ui/form/text-field.tsx'

const PROBLEMS: Record<LinkProblem, string> = {
  has_space: 'Une adresse n’a pas d’espace.',
  other_scheme: 'L’adresse doit commencer par https:// ou par le nom du site, comme exemple.fr.',
  email: 'C’est une adresse email ; il faut celle d’une page, comme exemple.fr/contact.',
  no_dot: 'Il manque un point au nom du site, comme dans exemple.fr.',
  too_long: `Une adresse a ${LIMITS.address.toLocaleString('fr-FR')} caractères au plus.`,
  invalid: 'Cette adresse ne s’ouvre pas : vérifiez le nom du site, sans nom ni mot de passe.',
}

/** Refused texts with the draft's address at that moment, by field, so that a field that is shown again has its text. */
const refused_texts = new Map<string, { text: string; address: string | null }>()

/**
 * Edits the web address of a button or a redirection, to which `https://` is added when the field is left. A refused
 * address stays in the field with the reason, and the draft gets back the address from before.
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
  const [typed, setTyped] = useState<string | null>(() => {
    const refused = refused_texts.get(id)
    return refused?.address === address ? refused.text : null
  })
  const [isLeft, setLeft] = useState(typed !== null)
  /** Address before the typing began. */
  const before = useRef(address)
  // An address that comes from elsewhere, such as an undo, replaces the typed text.
  const [expected, setExpected] = useState(address)
  if (address !== expected) {
    setExpected(address)
    setTyped(null)
  }
  const { problem } = readTypedLink(typed ?? '')
  const change = (next: string | null): void => {
    if (next === address) return
    setExpected(next)
    onChange(next)
  }
  const type = (text: string): void => {
    if (typed === null) before.current = address
    setTyped(text)
    setLeft(false)
    const link = readTypedLink(text)
    if (!link.problem) change(link.address)
  }
  const onBlur = (): void => {
    setLeft(true)
    if (problem) {
      refused_texts.set(id, { text: typed ?? '', address: before.current })
      change(before.current)
    } else {
      refused_texts.delete(id)
      setTyped(null)
    }
  }
  const kept = address === null ? '' : ' L’adresse précédente est gardée.'
  return (
    <TextField
      id={id}
      label={label}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="exemple.fr/page"
      value={typed ?? address ?? ''}
      maxLength={LIMITS.address}
      hint={hint}
      error={problem && isLeft ? PROBLEMS[problem] + kept : undefined}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={onBlur}
    />
  )
}
