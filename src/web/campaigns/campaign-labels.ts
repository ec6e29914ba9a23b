import type { ShownCampaign, ShownPerson } from '#contract/campaigns.ts'
import { returnRate, type StateCounts, totalOf } from '#domain/campaigns/campaign.ts'
import { formatMoment } from '#web/ui/moments.ts'

/** Returns a number of people as words. */
export const peopleText = (count: number): string =>
  count > 1 ? `${count.toLocaleString('fr-FR')} personnes` : `${count} personne`

/** Returns the return rate of a campaign, such as « 12 réponses sur 40 (30 %) ». */
export const returnText = (counts: StateCounts): string => {
  const rate = returnRate(counts)
  const replies = counts.replied > 1 ? `${counts.replied} réponses` : `${counts.replied} réponse`
  const percent =
    rate === null ? '' : ` (${rate.toLocaleString('fr-FR', { maximumFractionDigits: 1 })} %)`
  return `${replies} sur ${totalOf(counts)}${percent}`
}

/** French names of the states of a campaign. */
export const CAMPAIGN_STATUS_LABELS = {
  running: 'En cours',
  paused: 'En pause',
  ended: 'Terminée',
} as const

/** Returns when a campaign begins, sends and ends. */
export const scheduleText = (
  { status, starts_at, ends_at, ended_at, last_sending_at }: ShownCampaign,
  now = Date.now(),
): string => {
  if (status === 'ended') return `Terminée le ${formatMoment(ended_at ?? ends_at, 'day')}.`
  const end = `Fin le ${formatMoment(ends_at, 'long')}.`
  if (status === 'paused') return `Aucun email ne part pendant la pause. ${end}`
  if (Date.parse(starts_at) > now) return `Début le ${formatMoment(starts_at, 'long')}. ${end}`
  return last_sending_at === null
    ? `Toutes les invitations sont parties. ${end}`
    : `Les derniers partiront vers le ${formatMoment(last_sending_at, 'day')}. ${end}`
}

/** Returns the days of the reminders as words, such as « J+3, J+7 ». */
export const remindersText = (days: readonly number[]): string =>
  days.length === 0 ? 'Aucun rappel' : `Rappels : ${days.map((day) => `J+${day}`).join(', ')}`

/** Returns what happened last to a person, with its day. */
export const lastEventText = (
  { state, sent_at, opened_at, started_at, replied_at, refused_at, refusal, failure }: ShownPerson,
  isAnonymous: boolean,
): string => {
  const on = (at: string | null): string =>
    at === null ? '' : formatMoment(at, isAnonymous ? 'day' : 'long')
  const last_mail = sent_at.findLast((at) => at !== null) ?? null
  switch (state) {
    case 'replied':
      return `A répondu le ${on(replied_at)}`
    case 'refused':
      return refusal === 'unsubscribed'
        ? `Ne veut plus de vos emails (${on(refused_at)})`
        : `Ne souhaite pas répondre (${on(refused_at)})`
    case 'failed':
      return failure ?? ''
    case 'started':
      return `A commencé le ${on(started_at)}`
    case 'opened':
      return `A ouvert le ${on(opened_at)}`
    case 'invited':
      return last_mail === null
        ? 'Email à envoyer'
        : `Email envoyé le ${formatMoment(last_mail, 'long')}`
  }
}
