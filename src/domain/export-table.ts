import { readNumber } from './numbers.ts'
import type { Snapshot } from './snapshot.ts'
import type { TakenVersion } from './statistics.ts'
import type { StoredReplies } from './stored-replies.ts'

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
  const known = new Map(
    newest.map(({ version, snapshot }) => [
      version,
      { results: snapshot.results, fill: fillerOf(snapshot, places) },
    ]),
  )
  return {
    titles,
    lineOf: (response) => {
      const { created_at, email, result_position, score, consent_version, version } = response
      const cells: Cell[] = Array(titles.length - 1).fill(null)
      const taken = known.get(version)
      const result = taken?.results[result_position ?? -1]
      cells.splice(0, 4, email, result?.name ?? null, score, consentWord(consent_version))
      taken?.fill(cells, response)
      return { created_at, cells }
    },
  }
}

const consentWord = (consent_version: number | null): string | null => {
  if (consent_version === null) return null
  return consent_version > 0 ? 'Oui' : 'Non'
}

/** Puts what was given into its column, question by question. */
type Fill = (cells: Cell[], response: StoredReplies) => void

/** How a version's replies are read, found out once for all of its participants. */
const fillerOf = (
  { questions }: Pick<Snapshot, 'questions'>,
  places: ReadonlyMap<string, number>,
): Fill => {
  let choice = 0
  let text = 0
  const columns = questions.map(({ id, type, answers }) => {
    const isChoice = type === 'multiple_choice'
    return {
      place: places.get(id) ?? 0,
      index: isChoice ? choice++ : text++,
      answers: isChoice ? answers.map((answer) => answer.text) : null,
      isNumber: type === 'number',
    }
  })
  return (cells, { choices, texts }) => {
    for (const { place, index, answers, isNumber } of columns) {
      const given = (answers ? answers[choices[index] ?? -1] : texts[index]) ?? ''
      cells[place] = isNumber ? (readNumber(given) ?? given) : given
    }
  }
}
