import { areReminderDays, CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import { fromLocalTime, localMinute } from '#domain/common/time-zone.ts'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useZone } from '#web/ui/moments.ts'

/** Field of a moment in the time zone of the account. A blank field keeps the last moment. */
export const MomentField = ({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
}) => {
  const { time_zone, time_zone_name } = useZone()
  return (
    <TextField
      type="datetime-local"
      label={label}
      hint={[hint, time_zone_name].filter(Boolean).join(', ')}
      value={localMinute(value, time_zone)}
      className="max-w-64"
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== '') onChange(fromLocalTime(currentTarget.value, time_zone))
      }}
    />
  )
}

/** Returns the days of a typed list such as « 3, 7, 14 »; undefined if it is no list of reminder days. */
export const readReminderDays = (typed: string): number[] | undefined => {
  const parts = typed.split(/[\s,;]+/).filter((part) => part !== '')
  if (!parts.every((part) => /^\d{1,3}$/.test(part))) return undefined
  const days = parts.map(Number)
  return areReminderDays(days) ? days : undefined
}

/** Field of the days of the reminders. */
export const RemindersField = ({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => void
}) => (
  <TextField
    label="Jours des rappels"
    hint="En jours après l’invitation, à 9 h : « 3, 7, 14 » par exemple. Vide : aucun rappel. Seules les personnes sans réponse en reçoivent."
    inputMode="text"
    value={value}
    className="max-w-64"
    {...(readReminderDays(value) === undefined && {
      error: `Donnez ${CAMPAIGN_LIMITS.reminders} jours au plus, de 1 à ${CAMPAIGN_LIMITS.reminder_day}, dans l’ordre.`,
    })}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
