import { type Selectable, sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { tagsByDefault } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { loadAutomationRules } from '#server/quizzes/automations.store.ts'
import { loadTargetMappings, type TargetMapping } from '#server/quizzes/field-mappings.store.ts'
import type { OpenConnection } from './providers/provider.ts'
import type { QuizFields } from './providers/provision-fields.ts'

type Key = { quiz_id: string; provider: ProviderName }
/** Choices of the creator for a tool, as stored. */
export type Switch = Selectable<Tables['quiz_integrations']> & {
  /** True if the account of the creator is connected. */
  is_connected: boolean
}

/** Returns the choices of the creator for each tool; a tool without any choice has no row. */
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

/** Choices of the creator for a tool. */
export type SwitchInput = {
  enabled?: boolean | undefined
  tag_by_result?: boolean | undefined
  sends_parameters?: boolean | undefined
}

/** Stores the choices of the creator; undefined values stay unchanged. Refused fields are tried again. */
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
        // The update needs at least one column, even if all choices are undefined.
        quiz_id,
        ...(enabled !== undefined && { enabled }),
        ...(tag_by_result !== undefined && { tag_by_result }),
        ...(sends_parameters !== undefined && { sends_parameters, parameter_fields: '{}' }),
      }),
    )
    .execute()
}

/** Stores the field keys and the time of the check. Does nothing if the account was replaced in the meantime. */
export const writeFields = async (
  db: Db,
  { quiz_id, provider }: Key,
  {
    field_key,
    parameter_fields,
    mappings,
    provisioned_at,
  }: Pick<QuizFields, 'field_key' | 'parameter_fields' | 'mappings'> & { provisioned_at: Date },
  { id, vendor_account_id }: Pick<OpenConnection, 'id' | 'vendor_account_id'>,
): Promise<void> => {
  await sql`
    with account as (
      select provider from integration_connections
      where id = ${id} and vendor_account_id is not distinct from ${vendor_account_id}
    ), updated_mappings as (
      update field_mappings set field_key = found.field_key, field_type = found.field_type,
        refused_code = found.refused_code
      from account, jsonb_to_recordset(${JSON.stringify(mappings)}::jsonb)
        as found(id uuid, field_key text, field_type text, refused_code text)
      where field_mappings.id = found.id and field_mappings.quiz_id = ${quiz_id}
    )
    insert into quiz_integrations as integration
      (quiz_id, provider, field_key, provisioned_at, tag_by_result, parameter_fields)
    select ${quiz_id}, provider, ${field_key}, ${provisioned_at}, ${tagsByDefault(provider)},
      ${JSON.stringify(parameter_fields)}::jsonb
    from account
    on conflict (quiz_id, provider) do update set field_key = excluded.field_key,
      provisioned_at = excluded.provisioned_at,
      parameter_fields = integration.parameter_fields || excluded.parameter_fields
  `.execute(db)
}

/** Data needed to find or create the fields of a quiz at a tool. */
type FieldNeeds = {
  connection_id: string
  kit_custom_field: string | null
  brevo_attribute_name: string | null
  /** Known key of the field of the result. */
  field_key: string | null
  mappings: TargetMapping[]
}

/**
 * Returns the data needed to find or create the fields of a quiz. Returns undefined if the quiz or the connection is
 * gone.
 */
export const loadFieldNeeds = (
  db: Db,
  { quiz_id, provider }: Key,
): Promise<FieldNeeds | undefined> =>
  db
    .selectFrom('all_quizzes')
    .innerJoin('integration_connections', 'user_id', 'creator_id')
    .leftJoin('quiz_integrations as integration', (join) =>
      join
        .onRef('integration.quiz_id', '=', 'all_quizzes.id')
        .onRef('integration.provider', '=', 'integration_connections.provider'),
    )
    .select(['integration_connections.id as connection_id'])
    .select(['kit_custom_field', 'brevo_attribute_name', 'field_key'])
    .select(
      loadTargetMappings(sql`all_quizzes.id`, sql`integration_connections.provider`).as('mappings'),
    )
    .where('all_quizzes.id', '=', quiz_id)
    .where('integration_connections.provider', '=', provider)
    .where('sealed_secret', 'is not', null)
    .executeTakeFirst()

/** Returns the fields and rules of a quiz at a tool; mappings also exist before the tool is switched on. */
export const loadToolSettings = (db: Db, { quiz_id, provider }: Key) =>
  db
    .selectFrom('all_quizzes')
    .leftJoin('quiz_integrations', (join) =>
      join
        .onRef('quiz_integrations.quiz_id', '=', 'all_quizzes.id')
        .on('quiz_integrations.provider', '=', provider),
    )
    .leftJoin('creator_settings', 'creator_settings.user_id', 'creator_id')
    .select([
      'field_key',
      'tag_by_result',
      'provisioned_at',
      'sends_parameters',
      'parameter_fields',
      'time_zone',
      'country',
    ])
    .select([loadAutomationRules.as('rules')])
    .select(loadTargetMappings(sql`all_quizzes.id`, sql`${provider}::text`).as('mappings'))
    .where('all_quizzes.id', '=', quiz_id)
    .executeTakeFirst()
