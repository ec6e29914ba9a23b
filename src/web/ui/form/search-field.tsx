import { useEffect, useEffectEvent, useState } from 'react'
import { TextField } from './text-field.tsx'

/** Pause after typing before the search starts. */
const SEARCH_DELAY_MS = 350

/** Renders a search field that searches after a short pause. */
export const SearchField = ({
  searched,
  onSearch,
  ...texts
}: {
  label: string
  hint?: string
  maxLength: number
  /** The words of the current search. */
  searched: string
  onSearch: (words: string) => void
}) => {
  const [typed, setTyped] = useState(searched)
  const query = typed.trim()
  const search = useEffectEvent(onSearch)
  const isSearched = query === searched
  useEffect(() => {
    if (isSearched) return
    const timer = setTimeout(() => search(query), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query, isSearched])
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
