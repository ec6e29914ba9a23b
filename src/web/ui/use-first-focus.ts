import { type RefObject, useEffect } from 'react'

/**
 * Gives a field the focus as its screen opens, so that one can type at once. Not where the pointer is a finger: the
 * keyboard on screen would hide what the field is for.
 */
export const useFirstFocus = (
  field: RefObject<HTMLElement | null>,
  { isWanted = true }: { isWanted?: boolean } = {},
): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as the screen opens
  useEffect(() => {
    if (isWanted && matchMedia('(pointer: fine)').matches) field.current?.focus()
  }, [])
}
