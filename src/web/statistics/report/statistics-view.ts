import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { countFilters, type Filters } from '#web/statistics/filters/filters.ts'
import { formatMatching, formatParticipants } from '#web/statistics/format/format.ts'
import type { ResponsesPage } from '#web/statistics/queries.ts'

type QueryState<T> = { data: T | undefined; error: Error | null }

/** The data and the last errors of the queries of the screen. */
export type StatisticsReads = {
  filters: Filters
  quiz: QueryState<Quiz>
  /** Pages of participants; those of the previous filters while others are read. */
  responses: QueryState<readonly ResponsesPage[]> & {
    hasNextPage: boolean
    /** True if the error belongs to the read of one more page. */
    isNextPageError: boolean
  }
  /** The figures of a large selection, after they have been counted in the background. */
  backgroundCount: QueryState<ResponsesPage>
}

/** The content of the statistics screen. */
export type StatisticsView =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | {
      /** `empty`: the quiz has no participant; `no_match`: no participant matches the filters. */
      state: 'empty' | 'no_match' | 'shown'
      quiz: Quiz
      /** The French text about the number of participants. */
      about: string
      /** The reason why the shown data could not be updated. */
      refresh_error: Error | null
      next_page_error: Error | null
      choices: Choices
      figures: ResponsesPage['figures']
      /** Undefined until a selection has been counted once. */
      stats: ResponsesPage['stats'] | undefined
      /** Time of the shown figures; null before the first count, undefined if they are current. */
      counted_at: string | null | undefined
      participants: ResponsesPage['details']
      /** Null while the participants are being counted. */
      count: number | null
    }

/** The content of the screen once the quiz and the first participants are read. */
export type LoadedView = Extract<StatisticsView, { quiz: Quiz }>

type Choices = NonNullable<ResponsesPage['figures']>['choices']
const NO_CHOICES: Choices = { results: [], questions: [], dimensions: [] }

/** Returns the content of the statistics screen for the data read so far. */
export const statisticsView = ({
  filters,
  quiz: { data: quiz, error: quiz_error },
  responses,
  backgroundCount,
}: StatisticsReads): StatisticsView => {
  const { data: pages, error: responses_error, isNextPageError } = responses
  const first = pages?.[0]
  if (!quiz || !first) {
    const error = quiz_error ?? responses_error
    return error ? { state: 'failed', error } : { state: 'loading' }
  }

  // The figures come with the first page, because those of a later page include participants who are not listed.
  const counted = first.as_of ? (backgroundCount.data ?? first) : first
  const counting_error = first.as_of ? backgroundCount.error : null
  const { figures, as_of } = counted
  const participants = pages.flatMap(({ details }) => details)
  const isFiltered = countFilters(filters) > 0
  const count = responses.hasNextPage
    ? atLeast(isFiltered ? figures?.nb_participants : quiz.nb_responses, participants.length)
    : // A complete list may be newer than the count that was read with the quiz.
      participants.length
  const { nb_all_participants: all = quiz.nb_responses, choices = NO_CHOICES } =
    figures ?? as_of ?? {}
  const isEmpty = count === 0 && (!isFiltered || all === 0)
  return {
    state: stateOf(count, isEmpty),
    quiz,
    about: isFiltered && !isEmpty ? formatMatching(count, all) : formatParticipants(count ?? 0),
    refresh_error: isNextPageError ? quiz_error : (responses_error ?? quiz_error ?? counting_error),
    next_page_error: isNextPageError ? responses_error : null,
    choices,
    figures,
    stats: as_of?.counted_at === null ? undefined : counted.stats,
    counted_at: counting_error ? undefined : as_of?.counted_at,
    participants,
    count,
  }
}

const stateOf = (count: number | null, isEmpty: boolean): 'empty' | 'no_match' | 'shown' => {
  if (isEmpty) return 'empty'
  return count === 0 ? 'no_match' : 'shown'
}

/** Returns the count that was read, or the number of listed participants if it is larger. */
const atLeast = (count: number | undefined, listed: number): number | null =>
  count === undefined ? null : Math.max(count, listed)
