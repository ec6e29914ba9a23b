import { useEffect, useEffectEvent, useState } from 'react'
import { TextField } from './text-field.tsx'

/** Typed words are searched after this pause. */
const REST_MS = 350

/** A field whose words are searched once they rest. */
export const SearchField = ({
  searched,
  onSearch,
  ...texts
}: {
  label: string
  hint?: string
  maxLength: number
  /** What is searched for now. */
  searched: string
  onSearch: (words: string) => void
}) => {
  const [typed, setTyped] = useState(searched)
  const wanted = typed.trim()
  const search = useEffectEvent(onSearch)
  const isSearched = wanted === searched
  useEffect(() => {
    if (isSearched) return
    const timer = setTimeout(() => search(wanted), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, isSearched])
  return (
    <TextField
      {...texts}
      type="search"
      value={typed}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
