import { readNumber } from './numbers.ts'
import type { Snapshot } from './snapshot.ts'
import type { TakenVersion } from './statistics.ts'
import { readReplies, type StoredReplies } from './stored-replies.ts'

export type Cell = string | number | null
/** A line of an export: when somebody answered, then one cell a column. */
export type ExportLine = { created_at: string; cells: Cell[] }
export type ExportTable = {
  titles: string[]
  lineOf: (response: Exported) => ExportLine
}

type Exported = StoredReplies & {
  created_at: string
  version: number
  email: string | null
  result_position: number | null
  score: number | null
  consent_version: number | null
}

/** What comes before the questions. */
export const FIRST_TITLES = ['Date', 'Email', 'Résultat', 'Score', 'Consentement']

/**
 * Participants as a table: date, email, result, score and consent (empty where nobody asked), then a column for each question of the
 * versions that were taken, in the order of the newest one and in its words. A question that a version
 * did not have is an empty cell; a number is a number.
 */
export const exportTable = (versions: readonly TakenVersion[]): ExportTable => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  const places = new Map<string, number>()
  const titles = [...FIRST_TITLES]
  for (const { snapshot } of newest) {
    for (const { id, text } of snapshot.questions) {
      if (places.has(id)) continue
      places.set(id, titles.length - 1)
      titles.push(text)
    }
  }
  const snapshots = new Map(newest.map(({ version, snapshot }) => [version, snapshot]))
  return {
    titles,
    lineOf: (response) => {
      const { created_at, email, result_position, score, consent_version, version } = response
      const cells: Cell[] = Array(titles.length - 1).fill(null)
      const snapshot = snapshots.get(version)
      const result = snapshot?.results[result_position ?? -1]
      cells.splice(0, 4, email, result?.name ?? null, score, consentWord(consent_version))
      if (snapshot) fill(cells, { snapshot, response, places })
      return { created_at, cells }
    },
  }
}

const consentWord = (consent_version: number | null): string | null => {
  if (consent_version === null) return null
  return consent_version > 0 ? 'Oui' : 'Non'
}

const fill = (
  cells: Cell[],
  {
    snapshot,
    response,
    places,
  }: {
    snapshot: Pick<Snapshot, 'questions'>
    response: StoredReplies
    places: ReadonlyMap<string, number>
  },
): void => {
  for (const [index, { answer_text }] of readReplies(snapshot, response).entries()) {
    const question = snapshot.questions[index]
    const place = question && places.get(question.id)
    if (place === undefined) continue
    cells[place] =
      question?.type === 'number' ? (readNumber(answer_text) ?? answer_text) : answer_text
  }
}

const PARIS = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Paris',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** The time on a clock in Paris, as `2026-03-09 13:05:00`. */
export const parisTime = (created_at: string): string => PARIS.format(Date.parse(created_at))
