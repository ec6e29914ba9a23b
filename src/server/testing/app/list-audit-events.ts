import type { TestApp } from './test-app.ts'

/** Returns the names of the audit events of an account or network, oldest first. */
export const listAuditEventNames = async (
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
