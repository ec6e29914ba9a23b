import { LIMITS } from '#domain/common/vocabulary.ts'

/** Campaigns: invitations of people to a questionnaire, each with a link of their own (docs/decisions/083). */

/** Maximum lengths in characters, and maximum counts. */
export const CAMPAIGN_LIMITS = {
  name: 100,
  /** People of one campaign. */
  people: 5_000,
  campaigns_per_quiz: 100,
  first_name: 100,
  last_name: 100,
  group_name: 100,
  email: LIMITS.email,
  reminders: 3,
  /** Latest day of a reminder after the invitation. */
  reminder_day: 90,
  /** Days from the start of a campaign to its end. */
  days: 366,
} as const

/** States of a campaign. A paused campaign sends nothing but takes replies; an ended campaign does neither. */
export const CAMPAIGN_STATUSES = ['running', 'paused', 'ended'] as const
/** State of a campaign. */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/** States of an invitation, from the first to the last that it can have. */
export const INVITATION_STATES = [
  'invited',
  'opened',
  'started',
  'replied',
  'refused',
  'failed',
] as const
/** State of an invitation. */
export type InvitationState = (typeof INVITATION_STATES)[number]

/** French names of the states of invitations. */
export const INVITATION_STATE_LABELS: Record<InvitationState, string> = {
  invited: 'Invité',
  opened: 'Ouvert',
  started: 'Commencé',
  replied: 'Répondu',
  refused: 'Refusé',
  failed: 'Adresse en échec',
}

/** Reasons why a person refused: asked for no reply in this campaign, or unsubscribed from the creator's mails. */
export const REFUSALS = ['declined', 'unsubscribed'] as const
/** Reason why a person refused. */
export type InvitationRefusal = (typeof REFUSALS)[number]

/** Number of invitations in each state. */
export type StateCounts = Record<InvitationState, number>

/** Returns the counts of all states, from those of the states that occur. */
export const completeCounts = (
  found: readonly { state: InvitationState; count: number }[],
): StateCounts => {
  const counts: StateCounts = {
    invited: 0,
    opened: 0,
    started: 0,
    replied: 0,
    refused: 0,
    failed: 0,
  }
  for (const { state, count } of found) counts[state] += count
  return counts
}

/** Returns the number of invitations of all states. */
export const totalOf = (counts: StateCounts): number =>
  INVITATION_STATES.reduce((sum, state) => sum + counts[state], 0)

/** Returns the percent of the invited people who replied; null without people. */
export const returnRate = (counts: StateCounts): number | null => {
  const total = totalOf(counts)
  return total === 0 ? null : (counts.replied / total) * 100
}

/** Returns true if reminder days are different, ascending and in range. */
export const areReminderDays = (days: readonly number[]): boolean =>
  days.length <= CAMPAIGN_LIMITS.reminders &&
  days.every(
    (day, index) =>
      Number.isInteger(day) && day > (days[index - 1] ?? 0) && day <= CAMPAIGN_LIMITS.reminder_day,
  )

const FAILURES: Readonly<Record<string, string>> = {
  invalid_email: 'Aucun email ne peut arriver à cette adresse.',
  mailbox_refused: 'Le serveur de cette adresse ne la connaît pas, ou la refuse.',
  mail_refused: 'Le serveur de cette adresse a refusé le message.',
  unreadable_link:
    'Le lien de cette personne ne peut plus être lu : retirez-la, puis invitez-la à nouveau.',
}

/** Returns the French reason why no mail reaches an address. */
export const describeFailure = (code: string): string =>
  FAILURES[code] ?? 'Le serveur de cette adresse n’a pris aucun message pendant trois jours.'
