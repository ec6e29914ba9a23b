import { useRef } from 'react'

/** The value of an earlier render as long as it says the same, so that memoised parts stay; one that is given again is not compared. */
export const useSame = <T>(value: T): T => {
  const given = useRef(value)
  const kept = useRef(value)
  if (given.current === value) return kept.current
  given.current = value
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}
