import { type Selectable, sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { tagsByDefault } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import type { OpenConnection } from './providers/provider.ts'
import type { QuizFields } from './providers/provision-fields.ts'

type Key = { quiz_id: string; provider: ProviderName }
export type Switch = Selectable<Tables['quiz_integrations']> & {
  /** Whether its creator's account there is connected now. */
  is_connected: boolean
}

/** What the creator of a quiz chose for each tool; a tool that was never touched has no row. */
export const listSwitches = (db: Db, quiz_id: string): Promise<Switch[]> =>
  db
    .selectFrom('quiz_integrations')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_integrations.quiz_id')
    .leftJoin('integration_connections', (join) =>
      join
        .onRef('integration_connections.user_id', '=', 'quizzes.creator_id')
        .onRef('integration_connections.provider', '=', 'quiz_integrations.provider'),
    )
    .selectAll('quiz_integrations')
    .select(sql<boolean>`sealed_secret is not null`.as('is_connected'))
    .where('quiz_integrations.quiz_id', '=', quiz_id)
    .execute()

/** What the creator of a quiz chooses for a tool. */
export type SwitchInput = {
  enabled?: boolean | undefined
  tag_by_result?: boolean | undefined
  sends_parameters?: boolean | undefined
}

/** Writes what the creator chose; what is left out stays as it is. Fields that were refused are tried again. */
export const writeSwitch = async (
  db: Db,
  { quiz_id, provider }: Key,
  { enabled, tag_by_result, sends_parameters }: SwitchInput,
): Promise<void> => {
  await db
    .insertInto('quiz_integrations')
    .values({
      quiz_id,
      provider,
      enabled: enabled ?? false,
      tag_by_result: tag_by_result ?? tagsByDefault(provider),
      sends_parameters,
    })
    .onConflict((known) =>
      known.columns(['quiz_id', 'provider']).doUpdateSet({
        // An update sets something, also where everything is left out.
        quiz_id,
        ...(enabled !== undefined && { enabled }),
        ...(tag_by_result !== undefined && { tag_by_result }),
        ...(sends_parameters !== undefined && { sends_parameters, parameter_fields: '{}' }),
      }),
    )
    .execute()
}

/** Keeps what the tool calls the fields of a quiz, and when it was asked; not when it was another account that said so. */
export const writeFields = async (
  db: Db,
  { quiz_id, provider }: Key,
  {
    field_key,
    parameter_fields,
    provisioned_at,
  }: Pick<QuizFields, 'field_key' | 'parameter_fields'> & { provisioned_at: Date },
  { id, vendor_account_id }: Pick<OpenConnection, 'id' | 'vendor_account_id'>,
): Promise<void> => {
  await sql`
    insert into quiz_integrations as known
      (quiz_id, provider, field_key, provisioned_at, tag_by_result, parameter_fields)
    select ${quiz_id}, provider, ${field_key}, ${provisioned_at}, ${tagsByDefault(provider)},
      ${JSON.stringify(parameter_fields)}::jsonb
    from integration_connections
    where id = ${id} and vendor_account_id is not distinct from ${vendor_account_id}
    on conflict (quiz_id, provider) do update set field_key = excluded.field_key,
      provisioned_at = excluded.provisioned_at,
      parameter_fields = known.parameter_fields || excluded.parameter_fields
  `.execute(db)
}

/** What finding or making the field of a quiz needs to know; undefined when the quiz or the connection is gone. */
export const loadFieldNeeds = (
  db: Db,
  { quiz_id, provider }: Key,
): Promise<
  | { connection_id: string; kit_custom_field: string | null; brevo_attribute_name: string | null }
  | undefined
> =>
  db
    .selectFrom('quizzes')
    .innerJoin('integration_connections', 'user_id', 'creator_id')
    .select(['integration_connections.id as connection_id'])
    .select(['kit_custom_field', 'brevo_attribute_name'])
    .where('quizzes.id', '=', quiz_id)
    .where('provider', '=', provider)
    .where('sealed_secret', 'is not', null)
    .executeTakeFirst()
