import { startTransition, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Groups } from '#web/ui/sort-groups.ts'

/** Items on screen at once when it opens, and those that join them each time nothing else is to be done. */
const FIRST_ITEMS = 15
const MORE_ITEMS = 10

/**
 * How many of the items, in reading order, are on screen: few at first, so that a long questionnaire
 * opens at once, then all. A gesture that moves any of them, or a field asked for by the step that was
 * left, does not wait.
 */
export const useIncrementalRendering = (groups: Groups): number => {
  const hasTarget = useLocation().state !== null
  const [count, setCount] = useState(hasTarget ? Number.POSITIVE_INFINITY : FIRST_ITEMS)
  const [opened] = useState(() => layoutOf(groups))
  const total = Object.values(groups).flat().length
  const isWhole = count >= total || layoutOf(groups) !== opened
  useEffect(() => {
    if (isWhole) setCount(Number.POSITIVE_INFINITY)
    else startTransition(() => setCount(count + MORE_ITEMS))
  }, [count, isWhole])
  return isWhole ? total : count
}

const layoutOf = (groups: Groups): string => Object.values(groups).join('|')
