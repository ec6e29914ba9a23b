import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '#web/api/client.ts'
import { currentZone, type NamedTimeZone, setZone } from '#web/ui/moments.ts'
import { clearOnSignOut } from './session.tsx'

const KEY = 'quizaine.time-zone'

clearOnSignOut(() => {
  localStorage.removeItem(KEY)
  setZone()
})

/** Returns the query of the preferences that apply to the whole account. */
export const preferencesQuery = () =>
  queryOptions({
    queryKey: ['account', 'preferences'],
    queryFn: () => client.preferences.get(),
  })

/** Shows moments in this zone, and stores the zone on this device for the next visit, if the storage has room. */
export const saveTimeZone = (user_id: string, zone: NamedTimeZone): void => {
  setZone(zone)
  try {
    localStorage.setItem(KEY, [user_id, zone.time_zone, zone.time_zone_name].join('|'))
  } catch (error) {
    console.warn('The time zone is not remembered on this device', error)
  }
}

const showStoredZone = (user_id: string | undefined): void => {
  const [owner, time_zone, time_zone_name] = localStorage.getItem(KEY)?.split('|') ?? []
  setZone(
    owner === user_id && time_zone && time_zone_name ? { time_zone, time_zone_name } : undefined,
  )
}

/**
 * Shows moments in the time zone of the account: first in the zone stored on this device, then in the server's zone.
 * Returns a React key for the screens, which changes if the two differ, so that every moment is rendered again.
 */
export const useAccountTimeZone = (user_id: string | undefined): string => {
  const [shown, setShown] = useState<{ user_id: string | undefined; key: string }>()
  if (!shown || shown.user_id !== user_id) {
    showStoredZone(user_id)
    setShown({ user_id, key: '' })
  }
  const { data } = useQuery({ ...preferencesQuery(), enabled: user_id !== undefined })
  useEffect(() => {
    const loaded = data?.preferences
    if (user_id === undefined || !loaded || loaded.time_zone === currentZone().time_zone) return
    saveTimeZone(user_id, loaded)
    setShown({ user_id, key: loaded.time_zone })
  }, [data, user_id])
  return shown?.key ?? ''
}
