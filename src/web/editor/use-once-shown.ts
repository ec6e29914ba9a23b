import { useState } from 'react'

/**
 * Whether a field that is there when it is asked for, or filled, is shown: from then on it stays, so that what is
 * cleared in it does not take it away under the hand.
 */
export const useOnceShown = (isFilled: boolean): [isShown: boolean, show: () => void] => {
  const [isShown, setShown] = useState(isFilled)
  if (isFilled && !isShown) setShown(true)
  return [isShown, () => setShown(true)]
}
