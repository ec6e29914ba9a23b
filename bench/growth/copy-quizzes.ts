import type pg from 'pg'

/** Original quiz, and the numbers of creators and of quizzes per creator to create. */
type CopyRequest = { quiz_id: string; creator_id: string; creators: number; quizzes: number }

/**
 * SQL function for the id of a copied row. The id depends only on the original and the copy, so that references can be
 * copied too. The id starts with the timestamp of the copied quiz, so that rows are inserted in key order.
 */
const COPIED = `
create function pg_temp.copied(original uuid, copy uuid) returns uuid immutable language sql
return (left(copy::text, 18) || substr(md5(original::text || copy::text), 1, 16))::uuid;

create function pg_temp.copied_in(snapshot text, originals uuid[], copy uuid) returns text
language plpgsql as $$
declare original uuid;
begin
  foreach original in array originals loop
    snapshot := replace(snapshot, original::text, pg_temp.copied(original, copy)::text);
  end loop;
  return replace(snapshot, originals[1]::text, copy::text);
end
$$`

const COPIES = `
create temp table copies as
select uuidv7() as id, creator_id, rank, now() - random() * interval '300 days' as at
from (
  select $1::uuid as creator_id, $3 - 1 as nb_quizzes
  union all
  select gen_random_uuid(), $3 from generate_series(2, $2::integer)
) as creators, generate_series(1, nb_quizzes) as rank`

/** Returns SQL that copies rows of a table with some changed columns. */
const copyOf = (table: string, changes: string, among = 'true'): string => `
insert into ${table}
select copy.* from copies cross join ${table} as original
cross join lateral jsonb_populate_record(original, jsonb_build_object(${changes})) as copy
where ${among}`

const OWN_ID = `'id', pg_temp.copied(original.id, copies.id), 'quiz_id', copies.id`
const OF_QUIZ = 'original.quiz_id = $1'

const USERS = `
insert into users
select copy.* from users as original
cross join (select distinct creator_id from copies where creator_id <> $1) as creators
cross join lateral jsonb_populate_record(original, jsonb_build_object(
  'id', creators.creator_id, 'email', creators.creator_id || '@exemple.fr'
)) as copy
where original.id = $1`

const QUIZ_COPIES = [
  copyOf(
    'quizzes',
    `'id', copies.id, 'creator_id', copies.creator_id, 'name', 'Quiz ' || rank, 'created_at', at, 'updated_at', at`,
    'original.id = $1',
  ),
  copyOf('results', OWN_ID, OF_QUIZ),
  copyOf('questions', OWN_ID, OF_QUIZ),
  // The largest table is copied without JSON, which is faster.
  `insert into answers (id, quiz_id, question_id, text, score, position)
  select pg_temp.copied(answers.id, copies.id), copies.id,
    pg_temp.copied(question_id, copies.id), text, score, position
  from copies cross join answers where quiz_id = $1`,
  `insert into quiz_versions (quiz_id, version, choice_questions, text_questions, snapshot, published_at)
  select copies.id, version, choice_questions, array(
    select pg_temp.copied(id, copies.id) from unnest(text_questions) with ordinality as places(id, rank) order by rank
  ), pg_temp.copied_in(snapshot::text, (
    select array[$1::uuid] || array_agg(id) from (
      select id from questions where quiz_id = $1
      union all select id from answers where quiz_id = $1
      union all select id from results where quiz_id = $1
    ) as named
  ), copies.id)::jsonb, at
  from quiz_versions cross join copies where quiz_id = $1`,
  // Triggers are off during the copy, so this table is filled here.
  `insert into version_results (quiz_id, version, results)
  select copies.id, version, results from version_results cross join copies where quiz_id = $1`,
]

/** Copies one published quiz for a creator and for further creators, with new ids, in the transaction of the caller. */
export const copyQuizzes = async (
  session: pg.Client,
  { quiz_id, creator_id, creators, quizzes }: CopyRequest,
): Promise<void> => {
  // Foreign keys need no check, because the copies include the referenced rows.
  await session.query('set local session_replication_role = replica')
  await session.query(COPIED)
  await session.query(COPIES, [creator_id, creators, quizzes])
  await session.query('analyze copies')
  await session.query(USERS, [creator_id])
  for (const statement of QUIZ_COPIES) await session.query(statement, [quiz_id])
  await session.query('drop table copies; set local session_replication_role = origin')
}
