import type { ColumnType } from 'kysely'

/** Written by the database; read as ISO 8601 in UTC. Updates may set it from SQL or a Date. */
export type Stamp = ColumnType<string, Date | string | undefined, Date | string>
export type OptionalStamp = ColumnType<
  string | null,
  Date | string | null | undefined,
  Date | string | null
>
