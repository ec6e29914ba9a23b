import type pg from 'pg'
import { quarterOf } from '#server/db/counter-families.ts'

/** Rebuilds the counts per quarter hour of a quiz. Needed after a test changed `created_at` of responses. */
export const recountQuarters = async (pool: pg.Pool, quiz_id: string): Promise<void> => {
  await pool.query('delete from quarter_counts where quiz_id = $1', [quiz_id])
  await pool.query(
    `insert into quarter_counts (quiz_id, version, quarter, count)
    select quiz_id, version, ${quarterOf('created_at')}, count(*)
    from responses where quiz_id = $1 group by 1, 2, 3`,
    [quiz_id],
  )
}
