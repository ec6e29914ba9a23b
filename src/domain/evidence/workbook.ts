import { MIN_ANONYMOUS_REPLIES } from '#domain/campaigns/reply-pool.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { type ExportLine, type ExportTable, exportTable } from '#domain/statistics/export-table.ts'
import type { ExportedParticipant } from '#domain/statistics/participant-columns.ts'

/** Reply with its person; null in an anonymous campaign. */
type WorkbookReply = ExportedParticipant & {
  group_name: string | null
  person: { email: string; first_name: string | null; last_name: string | null } | null
}

/** Table of the replies of a campaign. */
export type Workbook = Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'> & {
  lines: ExportLine[]
}

/** Columns of the person before the columns of the export. */
const PERSON_TITLES = ['Adresse invitée', 'Prénom (liste)', 'Nom (liste)', 'Groupe']
const GROUP_TITLES = ['Groupe']

/**
 * Returns the replies of a campaign as the export of participants has them, after the person and the group. An anonymous
 * campaign has the group only; null if it has fewer than five replies.
 */
export const createWorkbook = (
  {
    replies,
    versions,
  }: { replies: readonly WorkbookReply[]; versions: ReadonlyMap<number, Snapshot> },
  { is_anonymous, type, time_zone }: { is_anonymous: boolean; type: QuizType; time_zone: string },
): Workbook | null => {
  if (is_anonymous && replies.length < MIN_ANONYMOUS_REPLIES) return null
  const answered = [...versions].map(([version, snapshot]) => ({
    version,
    nb_responses: 0,
    snapshot,
  }))
  const table = exportTable(answered, { type, time_zone })
  const titles = is_anonymous ? GROUP_TITLES : PERSON_TITLES
  const [date = '', ...others] = table.titles
  return {
    titles: [date, ...titles, ...others],
    day_places: new Set([...table.day_places].map((place) => place + titles.length)),
    time_zone,
    lines: replies.map((reply) => {
      const line = table.lineOf(reply)
      const { email = null, first_name = null, last_name = null } = reply.person ?? {}
      const people = is_anonymous ? [] : [email, first_name, last_name]
      return { ...line, cells: [...people, reply.group_name, ...line.cells] }
    }),
  }
}
