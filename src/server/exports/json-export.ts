import { localTimestamp } from '#domain/common/time-zone.ts'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import type { Cell, ExportLine, ExportTable } from '#domain/statistics/export-table.ts'
import { type ParticipantColumn, YES } from '#domain/statistics/participant-columns.ts'
import type { HeavyReads } from '#server/db/heavy-reads.ts'
import type { TaskRunner } from '#server/runtime/concurrency-limit.ts'
import type { View } from '#server/statistics/figures/read-view.ts'
import { restrictToVersions } from '#server/statistics/selection/participant-filters.ts'
import { type Cursor, listResponses } from '#server/statistics/selection/responses.store.ts'

/**
 * Yields a table as one JSON document: each participant with the given answers and parameters. The result and the score
 * of a sondage are null, so that programs read one shape. Only contact data that a version asks for has keys.
 */
export async function* writeJson(
  quiz: { id: string; name: string },
  {
    titles,
    participant_columns,
    parameters,
    time_zone,
  }: Pick<ExportTable, 'titles' | 'participant_columns' | 'parameters' | 'time_zone'>,
  pages: AsyncIterable<ExportLine[]>,
): AsyncGenerator<string> {
  const first_question = participant_columns.length
  const questions = titles.slice(first_question + 1, titles.length - parameters.length)
  const roles = CONTACT_ROLES.filter((role) => participant_columns.includes(role))
  const has_pages = participant_columns.includes('result_url')
  const has_measure = participant_columns.includes('measure_version')
  const has_confirmations = participant_columns.includes('email_confirmation')
  const has_percents = participant_columns.includes('percent')
  const has_certificates = participant_columns.includes('has_certificate')
  let separator = ''
  yield `{"quiz":${JSON.stringify(quiz)},"time_zone":${JSON.stringify(time_zone)},"participants":[`
  for await (const page of pages) {
    const participants = page.map(({ created_at, cells, choices, dimensions }) => {
      const cellOf = (column: ParticipantColumn): Cell =>
        cells[participant_columns.indexOf(column)] ?? null
      const given = cells.slice(first_question)
      return {
        date: localTimestamp(created_at, time_zone),
        email: cellOf('email'),
        ...Object.fromEntries(roles.map((role) => [role, cellOf(role)])),
        result: cellOf('result_position'),
        score: cellOf('score'),
        ...(has_percents && { percent: cellOf('percent') }),
        ...(has_certificates && { has_certificate: cellOf('has_certificate') === YES }),
        dimensions,
        consent: cellOf('consent_version'),
        ...(has_measure && { measure_consent: cellOf('measure_version') }),
        ...(has_confirmations && {
          email_confirmation: cellOf('email_confirmation'),
          email_confirmed_at: cellOf('email_confirmed_at'),
        }),
        elapsed_seconds: cellOf('elapsed_seconds'),
        is_suspect: cellOf('is_suspect') === YES,
        ...(has_pages && { result_url: cellOf('result_url') }),
        answers: questions.flatMap((question, index) => {
          const answer = given[index] ?? null
          if (answer === null) return []
          const list = choices.get(first_question + index)
          return list ? { question, answer, choices: list } : { question, answer }
        }),
        parameters: Object.fromEntries(
          parameters.flatMap((name, index) => {
            const value = given[questions.length + index] ?? null
            return value === null ? [] : [[name, value]]
          }),
        ),
      }
    })
    if (participants.length === 0) continue
    yield `${separator}\n${participants.map((participant) => JSON.stringify(participant)).join(',\n')}`
    separator = ','
  }
  yield '\n]}\n'
}

const LINES_PER_PAGE = 1_000

/**
 * Yields the lines of an export page by page, newest first. Memory holds two pages. No database connection is
 * held while a slow reader downloads a page.
 */
export async function* exportPages(
  heavyReads: Pick<HeavyReads, 'run'>,
  {
    quiz_id,
    condition: selected,
    answeredVersions,
  }: Pick<View, 'quiz_id' | 'condition' | 'answeredVersions'>,
  { lineOf, inTurn }: Pick<ExportTable, 'lineOf'> & { inTurn: TaskRunner },
): AsyncGenerator<ExportLine[]> {
  const condition = restrictToVersions(answeredVersions, selected)
  const read = (after?: Cursor): ReturnType<typeof listResponses> => {
    const reading = inTurn(() =>
      heavyReads.run(({ db }) =>
        listResponses(db, quiz_id, { condition, after, limit: LINES_PER_PAGE }),
      ),
    )
    // A failure of the next page is ignored after the reader has left.
    reading.catch(() => undefined)
    return reading
  }
  let reading = read()
  for (;;) {
    const page = await reading
    const isLast = page.length < LINES_PER_PAGE
    // The next page is read while the current page is written.
    if (!isLast) reading = read(page.at(-1))
    yield page.map(lineOf)
    if (isLast) return
  }
}
