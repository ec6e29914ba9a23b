import { fromLocalTime, localDay } from '#domain/common/time-zone.ts'

/** Times at which the mails of a campaign are sent. */

const DAY_MS = 86_400_000
/** Local time of reminders in the time zone of the account. */
const REMINDER_TIME = '09:00'

/** Share of the daily mails of an account that campaigns may use, so that result mails of participants still leave. */
const CAMPAIGN_SHARE = 0.8

/** Returns the number of mails that the campaigns of an account may send in a day. */
export const campaignMailsPerDay = (mails_per_day: number): number =>
  Math.max(1, Math.floor(mails_per_day * CAMPAIGN_SHARE))

const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length)

/** Next mail of an invitation: 0 for the invitation, 1 for the first reminder. */
export type NextMail = { step: number; due_at: string }

/** Settings of a campaign on which the times of its mails depend. */
export type CampaignSchedule = {
  reminder_days: readonly number[]
  ends_at: string
  time_zone: string
}

/**
 * Returns the next reminder after the mail of `step`; undefined if none is left before the end of the campaign. Days
 * are counted from the invitation. Reminders whose day has passed are skipped, so that no person gets two mails at once.
 */
export const nextReminder = (
  { reminder_days, ends_at, time_zone }: CampaignSchedule,
  { step, invited_at, now }: { step: number; invited_at: string; now: Date },
): NextMail | undefined => {
  const invited_on = localDay(new Date(invited_at), time_zone)
  for (const [index, day] of reminder_days.entries()) {
    const reminder_step = index + 1
    if (reminder_step <= step) continue
    const due_at = fromLocalTime(`${daysAfter(invited_on, day)}T${REMINDER_TIME}`, time_zone)
    if (Date.parse(due_at) <= now.getTime()) continue
    return Date.parse(due_at) < Date.parse(ends_at) ? { step: reminder_step, due_at } : undefined
  }
  return undefined
}

/** Mails that a campaign still has to send, and the limit of its account. */
export type Backlog = {
  /** Mails to send as soon as possible, those of other campaigns of the account before them included. */
  nb_waiting: number
  /** Mails that the account has sent today. */
  nb_sent_today: number
  mails_per_day: number
  /** Time at which sending begins, as an ISO timestamp. */
  starts_at: string
}

/**
 * Returns the time at which the last waiting mails leave, within the daily limit of the account (UTC days); null if no
 * mail waits. Reminders that are due later are not counted.
 */
export const lastSendingTime = (
  { nb_waiting, nb_sent_today, mails_per_day, starts_at }: Backlog,
  now: Date,
): string | null => {
  if (nb_waiting === 0) return null
  const per_day = campaignMailsPerDay(mails_per_day)
  const start_ms = Math.max(now.getTime(), Date.parse(starts_at))
  const isToday = Math.floor(start_ms / DAY_MS) === Math.floor(now.getTime() / DAY_MS)
  const left_today = isToday ? Math.max(0, per_day - nb_sent_today) : per_day
  if (nb_waiting <= left_today) return new Date(start_ms).toISOString()
  const days = Math.ceil((nb_waiting - left_today) / per_day)
  return new Date((Math.floor(start_ms / DAY_MS) + days) * DAY_MS).toISOString()
}
