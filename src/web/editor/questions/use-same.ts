import { useRef } from 'react'

/** The value of the last render as long as it says the same, so that memoised parts stay. */
export const useSame = <T>(value: T): T => {
  const known = useRef(value)
  if (JSON.stringify(known.current) !== JSON.stringify(value)) known.current = value
  return known.current
}
