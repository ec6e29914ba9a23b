import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import {
  type FieldMapping,
  isSameField,
  MAX_MAPPINGS,
  type MappedSource,
} from '#domain/deliveries/field-mappings.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import { refuseStaleFields } from '#server/http/edge/refuse-stale-fields.ts'
import { loadQuiz } from './quizzes.store.ts'

type OwnedQuiz = { quiz_id: string; creator_id: string }
/** Stored mapping of a quiz. */
export type MappingRow = FieldMapping & { id: string; created_at: string }

const COLUMNS = [
  'field_mappings.id',
  'field_mappings.provider',
  'source',
  'question_id',
  'dimension_id',
  'field_name',
  'field_key',
  'field_type',
  'refused_code',
  'field_mappings.created_at',
] as const

const selectOwn = (db: Db, { quiz_id, creator_id }: OwnedQuiz) =>
  db
    .selectFrom('field_mappings')
    .innerJoin('quizzes', 'quizzes.id', 'field_mappings.quiz_id')
    .where('field_mappings.quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .select(COLUMNS)

/** Lists the mappings of a quiz of the creator, oldest first. */
export const listMappings = (db: Db, owned: OwnedQuiz): Promise<MappingRow[]> =>
  selectOwn(db, owned).orderBy('field_mappings.created_at').orderBy('field_mappings.id').execute()

/** Returns one mapping of a quiz of the creator. Throws a 404 if it is absent or belongs to another creator. */
export const loadMapping = async (
  db: Db,
  { mapping_id, ...owned }: OwnedQuiz & { mapping_id: string },
): Promise<MappingRow> => {
  const row = await selectOwn(db, owned)
    .where('field_mappings.id', '=', mapping_id)
    .executeTakeFirst()
  if (!row) throw createMissingMappingError()
  return row
}

const createMissingMappingError = () => notFound('Champ introuvable')

/** Mapping as a delivery reads it. */
export type TargetMapping = Omit<MappingRow, 'created_at'>

/** SQL expression for the mappings of a quiz at a tool, as a JSON array, oldest first. */
export const loadTargetMappings = (
  quiz_id: RawBuilder<unknown>,
  provider: RawBuilder<unknown>,
): RawBuilder<TargetMapping[]> => sql<TargetMapping[]>`(
  select coalesce(json_agg(mapping order by mapping.created_at, mapping.id), '[]')
  from field_mappings as mapping
  where mapping.quiz_id = ${quiz_id} and mapping.provider = ${provider}
)`

/** New mapping. The key is null for a field that is found or created by name. */
export type NewMapping = Pick<
  FieldMapping,
  'provider' | 'source' | 'question_id' | 'dimension_id' | 'field_name' | 'field_key' | 'field_type'
>

type MappedField = Pick<NewMapping, 'field_name' | 'field_key'>

const isSameTarget = (mapping: MappingRow, { field_name, field_key }: MappedField): boolean =>
  isSameField(mapping.field_name, field_name) ||
  (field_key !== null && mapping.field_key?.toLowerCase() === field_key.toLowerCase())

/** Throws a 422 if one of the mappings already fills the field. */
const checkFree = (known: readonly MappingRow[], field: MappedField): void => {
  if (known.some((mapping) => isSameTarget(mapping, field)))
    throw invalid('Ce champ reçoit déjà une valeur', 'field_name')
}

/**
 * Adds a mapping and returns its id. Throws a 409 if the quiz has MAX_MAPPINGS at the tool, and a 422 if one of them
 * uses the field.
 */
export const insertMapping = (
  db: Db,
  { quiz_id, creator_id }: OwnedQuiz,
  mapping: NewMapping,
): Promise<string> =>
  db.transaction().execute(async (adding) => {
    await loadQuiz(adding, { quiz_id, creator_id }, 'lock')
    const known = (await listMappings(adding, { quiz_id, creator_id })).filter(
      ({ provider }) => provider === mapping.provider,
    )
    checkFree(known, mapping)
    if (known.length >= MAX_MAPPINGS)
      throw conflict(
        'too_many_mappings',
        `Un questionnaire remplit au plus ${MAX_MAPPINGS} champs dans ${PROVIDER_LABELS[mapping.provider]}.`,
      )
    const id = randomUUIDv7()
    await adding
      .insertInto('field_mappings')
      .values({ id, quiz_id, ...mapping })
      .execute()
    return id
  })

/** Change of a mapping: its source, and the field if another one is chosen. */
type MappingChange = Partial<
  MappedSource & Pick<NewMapping, 'field_name' | 'field_key' | 'field_type'>
>
/** Values of a mapping that the creator saw when changing it. */
type SeenMapping = Partial<Record<keyof MappedSource | 'field_name', string | null | undefined>>

/**
 * Changes the source or the field of a mapping. A refused field is requested again. Throws a 404 if the creator has no
 * such mapping, a 409 if it is not as in `replaces`, and a 422 if another mapping uses the field.
 */
export const updateMapping = (
  db: Db,
  { mapping_id, ...owned }: OwnedQuiz & { mapping_id: string },
  { replaces, ...change }: MappingChange & { replaces?: SeenMapping | undefined },
): Promise<void> =>
  db.transaction().execute(async (changing) => {
    await loadQuiz(changing, owned, 'lock')
    const known = await listMappings(changing, owned)
    const changed = known.find(({ id }) => id === mapping_id)
    if (!changed) throw createMissingMappingError()
    refuseStaleFields(changed, replaces)
    const others = known.filter(
      (mapping) => mapping !== changed && mapping.provider === changed.provider,
    )
    checkFree(others, { ...changed, ...change })
    await changing
      .updateTable('field_mappings')
      .set({ ...change, refused_code: null })
      .where('id', '=', mapping_id)
      .execute()
  })

/** Deletes a mapping of a quiz of the creator. Throws a 404 if it is absent or belongs to another creator. */
export const deleteMapping = async (
  db: Db,
  { quiz_id, creator_id, mapping_id }: OwnedQuiz & { mapping_id: string },
): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom('field_mappings')
    .using('quizzes')
    .whereRef('quizzes.id', '=', 'field_mappings.quiz_id')
    .where('field_mappings.id', '=', mapping_id)
    .where('field_mappings.quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw createMissingMappingError()
}

/**
 * Copies the mappings of a draft to its duplicate, in the same order. The copied mappings refer to questions and
 * dimensions of the duplicate. Mappings of deleted questions and dimensions are left out.
 */
export const copyMappings = async (
  db: Db,
  { original, copy, creator_id }: { original: Draft; copy: Draft; creator_id: string },
): Promise<void> => {
  const idsOf = ({ questions, dimensions }: Draft): string[] =>
    [...questions, ...dimensions].map(({ id }) => id)
  const copied = idsOf(copy)
  const ids = new Map(idsOf(original).map((id, at) => [id, copied[at] ?? id]))
  const copyOf = (id: string | null | undefined) => (id ? ids.get(id) : null)
  const rows = await listMappings(db, { quiz_id: original.quiz.id, creator_id })
  const values = rows.flatMap((row) => {
    const question_id = copyOf(row.question_id)
    const dimension_id = copyOf(row.dimension_id)
    return question_id === undefined || dimension_id === undefined
      ? []
      : [{ ...row, id: randomUUIDv7(), quiz_id: copy.quiz.id, question_id, dimension_id }]
  })
  if (values.length > 0) await db.insertInto('field_mappings').values(values).execute()
}

/**
 * Forgets the field keys of all mappings of a creator at one tool, because the connected account was replaced. The
 * fields are then found or created by name.
 */
export const clearMappingKeys = async (
  db: Db,
  { user_id, provider }: { user_id: string; provider: ProviderName },
): Promise<void> => {
  await sql`
    update field_mappings set field_key = null, field_type = 'text', refused_code = null
    from all_quizzes
    where all_quizzes.id = quiz_id and creator_id = ${user_id} and provider = ${provider}
      and (field_key is not null or refused_code is not null)
  `.execute(db)
}
