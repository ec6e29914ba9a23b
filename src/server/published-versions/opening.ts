import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { timeZoneName } from '#domain/common/time-zone-labels.ts'
import { unopenedText } from '#domain/questionnaire/access-sentences.ts'

/** Time at which a quiz opens. `time_zone` is the zone of its creator; null if the creator never chose a zone. */
export type Opening = { opens_at: string; time_zone: string | null }

/** Returns the message of a quiz that opens later, in the time zone of its creator. */
export const openingText = ({ opens_at, time_zone }: Opening): string => {
  const zone = time_zone ?? DEFAULT_TIME_ZONE
  const reading = { now: Date.now(), time_zone: zone, time_zone_name: timeZoneName(zone) }
  return unopenedText(opens_at, reading)
}
