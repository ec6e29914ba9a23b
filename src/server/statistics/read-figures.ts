import type { Figures } from '#contract/figures.ts'
import type { TakenVersion } from '#domain/asked-questions.ts'
import { durationSummary } from '#domain/durations.ts'
import { everyDay, numberSummary, resultShares, scoreSummary, tiersOf } from '#domain/figures.ts'
import { filterChoices } from '#domain/filter-choices.ts'
import type { NumberSummary } from '#domain/numbers.ts'
import { passedPages } from '#domain/passed-pages.ts'
import { questionFigures } from '#domain/question-figures.ts'
import { sourcesOf } from '#domain/sources.ts'
import type { MomentRange } from '#domain/time-zone.ts'
import { funnelOf } from '#domain/visits.ts'
import type { Db } from '#server/db/database.ts'
import { type Counts, listFrequentTexts } from './counters.store.ts'
import type { createKeptAnswers } from './kept-answers.ts'
import { searchMatching } from './matching.store.ts'
import type { View } from './read-view.ts'
import { listVisitedVersions } from './visits.store.ts'

/** Beyond so many different numbers a question is not summarised: the export has them. */
const MOST_NUMBERS = 20_000

/** Of each number question, by its id. */
export type Numbers = Map<string, NumberSummary | null>

/** The figures of a view, from its counts and in the same state of the database. */
export const readFigures = async (
  db: Db,
  view: View,
  {
    counts,
    keptNumbers,
  }: { counts: Counts; keptNumbers?: ReturnType<typeof createKeptAnswers<Numbers>> },
): Promise<Figures> => {
  const { taken } = view
  const scores = scoreSummary(counts.scores)
  const asked = counts.versions.flatMap(({ snapshot }) => snapshot.questions)
  const asking_numbers = [
    ...new Set(asked.filter(({ type }) => type === 'number').map(({ id }) => id)),
  ]
  const read = (): Promise<Numbers> => readNumbers(db, view, asking_numbers)
  const numbers =
    view.condition && keptNumbers
      ? await keptNumbers(view.key, view.state_hash, read)
      : await read()
  return {
    nb_participants: sumOf(counts.versions),
    nb_all_participants: sumOf(taken),
    results: resultShares(counts.versions, counts.results, taken),
    days: everyDay(counts.days),
    consent: consentOf(counts.consents),
    scores,
    tiers: scores ? tiersOf(taken) : [],
    duration: durationSummary(counts.durations),
    visits: view.moments && (await readVisits(db, view.quiz_id, { moments: view.moments, counts })),
    sources: sourcesOf(counts.parameters),
    questions: questionFigures(counts.versions, counts, numbers),
    choices: filterChoices(taken),
  }
}

/** How many ticked the box of those who were shown it; null when it was shown to none. */
const consentOf = (consents: Counts['consents']): Figures['consent'] => {
  const nb_asked = consents.reduce((sum, { count }) => sum + count, 0)
  const refused = consents.find(({ consent_version }) => consent_version === 0)?.count ?? 0
  return nb_asked === 0 ? null : { nb_asked, nb_agreed: nb_asked - refused }
}

/** How many participants these versions have. */
export const sumOf = (versions: readonly TakenVersion[]): number =>
  versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)

/** Reads the visits of each version; `counts` are those of the same moments. */
const readVisits = async (
  db: Db,
  quiz_id: string,
  { moments, counts }: { moments: MomentRange; counts: Counts },
): Promise<Figures['visits']> =>
  (await listVisitedVersions(db, quiz_id, moments)).map(({ version, has_jumps, steps, ...of }) => {
    const taken = counts.versions.find((one) => one.version === version)
    const passed = taken ? passedPages(taken, counts.choices) : new Map<number, number>()
    return { version, has_jumps, steps: funnelOf(steps, has_jumps ? { ...of, passed } : of) }
  })

const readNumbers = async (
  db: Db,
  { quiz_id, condition }: View,
  question_ids: string[],
): Promise<Numbers> => {
  if (question_ids.length === 0) return new Map()
  const most = MOST_NUMBERS + 1
  const texts = condition
    ? await searchMatching(db, { quiz_id, condition }, { question_ids, search: '', most })
    : await listFrequentTexts(db, quiz_id, question_ids, most)
  const given = Map.groupBy(texts, ({ question_id }) => question_id)
  return new Map(
    [...given].map(([id, own]) => [id, own.length > MOST_NUMBERS ? null : numberSummary(own)]),
  )
}
