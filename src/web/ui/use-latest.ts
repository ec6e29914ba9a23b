import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A ref to the value of the last render, for functions that are stable across renders. */
export const useLatest = <T>(value: T): RefObject<T> => {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
