import { sql } from 'kysely'
import { searchedEmail } from '#domain/mailbox.ts'
import type { Db } from '#server/db/database.ts'
import type { Taking } from './removal.store.ts'
import { type StoredResponse, selectResponses } from './responses.store.ts'

type Person = { creator_id: string; email: string }

const ofPerson = ({ creator_id, email }: Person) => sql<boolean>`
  responses.quiz_id in (select id from quizzes where creator_id = ${creator_id})
  and lower(email) in (lower(${searchedEmail(email)}), lower(${email}))`

/** Whatever a person gave to the quizzes of this creator, newest first. */
export const listOfPerson = (
  db: Db,
  person: Person,
): Promise<(StoredResponse & { quiz_id: string })[]> =>
  selectResponses(db)
    .select('quiz_id')
    .where(ofPerson(person))
    .orderBy('created_at', 'desc')
    .execute()

/** The same as what a deletion needs. */
export const takingsOfPerson = (db: Db, person: Person): Promise<Taking[]> =>
  db
    .selectFrom('responses')
    .select(['quiz_id', 'participant_uuid'])
    .where(ofPerson(person))
    .execute()

/** Names and taken versions of these quizzes. */
export const listTakenQuizzes = (db: Db, quiz_ids: readonly string[]) =>
  db
    .selectFrom('quiz_versions')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_versions.quiz_id')
    .select(['quiz_id', 'name', 'version', 'nb_responses', 'snapshot'])
    .where('quiz_id', 'in', quiz_ids.length > 0 ? quiz_ids : [NO_QUIZ])
    .where('nb_responses', '>', 0)
    .execute()

const NO_QUIZ = '00000000-0000-0000-0000-000000000000'
