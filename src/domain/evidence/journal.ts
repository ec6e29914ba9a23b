import { INVITATION_STATE_LABELS, type InvitationState } from '#domain/campaigns/campaign.ts'
import type { Person } from '#domain/campaigns/people.ts'
import { fromLocalTime, localDay } from '#domain/common/time-zone.ts'
import { withTimeZone } from '#domain/common/time-zone-labels.ts'
import type { Cell, ExportLine, ExportTable } from '#domain/statistics/export-table.ts'
import { type SentMails, stepName } from './evidence-document.ts'

/** Mail that left to a person of a campaign; step 0 is the invitation. */
export type SentMail = Person & { at: string; step: number; state: InvitationState }

/** Table of the mails that left. */
type Journal = Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'> & { lines: ExportLine[] }

const NO_DAYS: ReadonlySet<number> = new Set()
const lineOf = (created_at: string, cells: Cell[]): ExportLine => ({
  created_at,
  cells,
  choices: new Map(),
  dimensions: [],
})

/**
 * Returns the log of the mails of a campaign, in the order of their times. An anonymous campaign has numbers by day in
 * place of people.
 */
export const journalOf = (
  mails: readonly SentMail[],
  { is_anonymous, time_zone }: { is_anonymous: boolean; time_zone: string },
): Journal =>
  is_anonymous
    ? {
        titles: [withTimeZone('Jour', time_zone), 'Envoi', 'Nombre'],
        day_places: NO_DAYS,
        time_zone,
        lines: countsByDay(mails, time_zone),
      }
    : {
        titles: [
          withTimeZone('Date', time_zone),
          ...['Envoi', 'Email', 'Prénom', 'Nom', 'Groupe', 'État'],
        ],
        day_places: NO_DAYS,
        time_zone,
        lines: mails.map(({ at, step, email, first_name, last_name, group_name, state }) =>
          lineOf(at, [
            ...[stepName(step), email, first_name, last_name, group_name],
            INVITATION_STATE_LABELS[state],
          ]),
        ),
      }

const countsByDay = (mails: readonly SentMail[], time_zone: string): ExportLine[] => {
  const days = Map.groupBy(mails, ({ at, step }) => `${localDay(new Date(at), time_zone)} ${step}`)
  return [...days].map(([key, some]) => {
    const [day = '', step = ''] = key.split(' ')
    const midnight = fromLocalTime(`${day}T00:00`, time_zone)
    return lineOf(midnight, [stepName(Number(step)), some.length])
  })
}

/** Returns the number of mails by step, with the first and the last day in words. */
export const sentMailsOf = (
  mails: readonly SentMail[],
  dayOf: (at: string) => string,
): SentMails[] =>
  [...Map.groupBy(mails, ({ step }) => step)]
    .sort(([first], [second]) => first - second)
    .map(([step, some]) => ({
      step,
      count: some.length,
      first_day: dayOf(some[0]?.at ?? ''),
      last_day: dayOf(some.at(-1)?.at ?? ''),
    }))
