import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { datesError, type Filters, readFilters, replaceFilters, writeFilters } from './filters.ts'

/** Typed filters are applied after this pause. */
const REST_MS = 350

/** The filters of the screen, stored in its address; chosen ones are applied after a short pause. */
export const useFilters = () => {
  const [search, setSearch] = useSearchParams()
  const applied = readFilters(search)
  const [chosen, setChosen] = useState<Filters>(applied)
  const wanted = JSON.stringify(writeFilters(chosen))
  const isApplied = wanted === JSON.stringify(writeFilters(applied))
  const error = datesError(chosen)

  useEffect(() => {
    if (isApplied || error) return
    const timer = setTimeout(
      () =>
        setSearch((before) => replaceFilters(before, JSON.parse(wanted) as Filters), {
          replace: true,
        }),
      REST_MS,
    )
    return () => clearTimeout(timer)
  }, [wanted, isApplied, error, setSearch])

  return { applied, chosen, error, choose: setChosen }
}
