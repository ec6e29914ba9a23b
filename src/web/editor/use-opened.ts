import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * The data that a screen starts editing from: undefined until fresh data is loaded, then always defined, since
 * the screen has its own copy from then on and a later loading must not close it.
 */
export const useOpened = <T, K extends QueryKey>(
  options: UseQueryOptions<T, Error, T, K>,
  { is_waiting = false }: { is_waiting?: boolean } = {},
): { data: T | undefined; error: Error | null } => {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({ ...options, enabled: isOpen || !is_waiting })
  const isFresh = query.isSuccess && !(query.isFetching && query.isStale)
  const canOpen = isOpen || (isFresh && !is_waiting)
  if (canOpen && !isOpen) setOpen(true)
  return { data: canOpen ? query.data : undefined, error: query.error }
}
