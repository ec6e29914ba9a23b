import { type ExportLine, type ExportTable, FIRST_TITLES, YES } from '#domain/export-table.ts'
import { localTimestamp } from '#domain/time-zone.ts'

/** A table as one JSON document: each participant with what they gave to the questions they had, and the parameters that they came with. */
export async function* writeJson(
  quiz: { id: string; name: string },
  { titles, parameters, time_zone }: Pick<ExportTable, 'titles' | 'parameters' | 'time_zone'>,
  pages: AsyncIterable<ExportLine[]>,
): AsyncGenerator<string> {
  const questions = titles.slice(FIRST_TITLES.length, titles.length - parameters.length)
  let separator = ''
  yield `{"quiz":${JSON.stringify(quiz)},"time_zone":${JSON.stringify(time_zone)},"participants":[`
  for await (const page of pages) {
    const participants = page.map(({ created_at, cells, choices }) => {
      const [email, result, score, consent, elapsed_seconds, suspect, ...given] = cells
      return {
        date: localTimestamp(created_at, time_zone),
        email,
        result,
        score,
        consent,
        elapsed_seconds,
        is_suspect: suspect === YES,
        answers: questions.flatMap((question, index) => {
          const answer = given[index] ?? null
          if (answer === null) return []
          const list = choices.get(FIRST_TITLES.length - 1 + index)
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
    yield `${separator}\n${participants.map((one) => JSON.stringify(one)).join(',\n')}`
    separator = ','
  }
  yield '\n]}\n'
}
