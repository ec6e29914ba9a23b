import { uuidv7 } from '#server/runtime/uuid.ts'
import type { Quiz } from './quiz.ts'

const ADDRESS_DIGITS = 12

/** The same, of which so many are made now: what makes them must not be what is measured. */
export const makeAhead = (make: () => Buffer, count: number): (() => Buffer) => {
  const made = Array.from({ length: count }, make)
  let next = 0
  return () => made[next++] ?? make()
}

/**
 * Makes whole requests, each by another participant with answers of their own, as the player sends them; with the query of
 * the address that the quiz was opened at, if there was one.
 */
export const createRequests = (quiz: Quiz, query?: string): (() => Buffer) => {
  let made = 0
  const start = Date.now() % 1e6
  const came_by = query === undefined ? '' : `,"parameters":"${query}"`
  return () => {
    const rank = made++
    const address = `${start}${rank}`.padStart(ADDRESS_DIGITS, '0')
    const answers = quiz.choices.map(
      ({ id, answer_ids }, place) => `"${id}":"${answer_ids[(rank >> place) % answer_ids.length]}"`,
    )
    const email = `p${address}@exemple.fr`
    const body = `{"answers":{${answers.join(',')},"${quiz.email_id}":"${email}"},"email":"${email}","participant_uuid":"${uuidv7()}","version":${quiz.version}${came_by}}`
    return Buffer.from(
      `POST /api/v1/quizzes/${quiz.id}/submit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      'latin1',
    )
  }
}
