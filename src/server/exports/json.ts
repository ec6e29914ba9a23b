import { type ExportLine, type ExportTable, FIRST_TITLES, YES } from '#domain/export-table.ts'
import { parisTime } from '#domain/paris-time.ts'

const MINUTE_MS = 60_000

/** 2026-03-09T12:05:00.000Z as 2026-03-09T13:05:00+01:00. */
const parisStamp = (created_at: string): string => {
  const local = parisTime(created_at).replace(' ', 'T')
  const ahead = Math.round((Date.parse(`${local}Z`) - Date.parse(created_at)) / MINUTE_MS)
  const digits = (value: number): string => String(value).padStart(2, '0')
  const sign = ahead < 0 ? '-' : '+'
  return `${local}${sign}${digits(Math.floor(Math.abs(ahead) / 60))}:${digits(Math.abs(ahead) % 60)}`
}

/** A table as one JSON document: each participant with what they gave to the questions they had, and the parameters that they came with. */
export async function* writeJson(
  quiz: { id: string; name: string },
  { titles, parameters }: Pick<ExportTable, 'titles' | 'parameters'>,
  pages: AsyncIterable<ExportLine[]>,
): AsyncGenerator<string> {
  const questions = titles.slice(FIRST_TITLES.length, titles.length - parameters.length)
  let separator = ''
  yield `{"quiz":${JSON.stringify(quiz)},"participants":[`
  for await (const page of pages) {
    const participants = page.map(({ created_at, cells }) => {
      const [email, result, score, consent, elapsed_seconds, suspect, ...given] = cells
      return {
        date: parisStamp(created_at),
        email,
        result,
        score,
        consent,
        elapsed_seconds,
        is_suspect: suspect === YES,
        answers: questions.flatMap((question, index) => {
          const answer = given[index] ?? null
          return answer === null ? [] : { question, answer }
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
