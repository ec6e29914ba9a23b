import type { TestApp } from './test-app.ts'

/** What an account, or a network, has in the audit log: the names of its events, the oldest first. */
export const auditLogOf = async (
  { db }: Pick<TestApp, 'db'>,
  actor_id: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('audit_events')
    .select(['event', 'outcome', 'detail'])
    .where((where) =>
      where.or([where('actor_id', '=', actor_id), where('object_id', '=', actor_id)]),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ event, outcome, detail }) =>
    [event, ...(outcome === 'ok' ? [] : [outcome]), ...(detail ? [detail] : [])].join(' '),
  )
}
