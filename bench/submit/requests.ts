import { randomUUIDv7 } from 'node:crypto'
import type { Quiz } from './quiz.ts'

const ADDRESS_DIGITS = 12

/** Creates `count` requests in advance, so that their creation is not measured. */
export const createInAdvance = (make: () => Buffer, count: number): (() => Buffer) => {
  const made = Array.from({ length: count }, make)
  let next = 0
  return () => made[next++] ?? make()
}

/**
 * Returns a function that creates complete HTTP requests as the player sends them. Each request has a new participant
 * and random answers. `query` is the query string of the page URL.
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
    for (const { id, reply } of quiz.typed) answers.push(`"${id}":"${reply}"`)
    const email = `p${address}@exemple.fr`
    const body = `{"answers":{${answers.join(',')},"${quiz.email_id}":"${email}"},"email":"${email}","participant_uuid":"${randomUUIDv7()}","version":${quiz.version}${came_by}}`
    return Buffer.from(
      `POST /api/v1/quizzes/${quiz.id}/submit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      'latin1',
    )
  }
}
