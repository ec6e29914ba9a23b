import type { ProviderName } from '#domain/common/vocabulary.ts'

/** Kinds of values that a field of a tool can receive, besides the contact data. */
export const MAPPING_SOURCES = ['question', 'score', 'result'] as const
/** Kind of value that a field of a tool receives. */
export type MappingSource = (typeof MAPPING_SOURCES)[number]

/** Maximum number of mapped fields of one quiz at one tool. */
export const MAX_MAPPINGS = 20

/** Field of a tool that receives a value of each participant. Mappings apply at once and belong to no version. */
export type FieldMapping = {
  provider: ProviderName
  source: MappingSource
  /** Question whose reply is sent; null for the other sources. */
  question_id: string | null
  /** Name of the field, as the creator sees it at the tool. */
  field_name: string
  /** Key of the field at the tool; null until the field is found or created. */
  field_key: string | null
}
