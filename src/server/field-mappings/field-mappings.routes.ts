import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { ListedMapping, MappedTool } from '#contract/forwarding/field-mappings.ts'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { isMappable } from '#domain/deliveries/account-fields.ts'
import {
  acceptingTypes,
  DIMENSION_DELETED,
  DIMENSION_DELETED_IN_DRAFT,
  fieldRefusal,
  type MappedSource,
  type MappingSource,
  NO_MEASURE,
  NO_OWN_PAGES,
  QUESTION_DELETED,
  QUESTION_DELETED_IN_DRAFT,
  sourceLabel,
  typeRefusal,
  usedFieldReason,
  usedFieldsOf,
} from '#domain/deliveries/field-mappings.ts'
import { PROVIDER_LABELS, readFieldName } from '#domain/deliveries/integrations.ts'
import { questionName } from '#domain/questionnaire/grids/question-names.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { audit } from '#server/audit/audit.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import type { Tools } from '#server/deliveries/send-delivery.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { type Handlers, mount } from '#server/http/edge/mount.ts'
import { createAccountReader } from '#server/integrations/account-reader.ts'
import { createNotConnectedError } from '#server/integrations/connection-errors.ts'
import { findConnection } from '#server/integrations/connections.store.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import type { AccountFields } from '#server/integrations/providers/provider.ts'
import { listSwitches } from '#server/integrations/switches.store.ts'
import {
  deleteMapping,
  insertMapping,
  listMappings,
  loadMapping,
  type MappingRow,
  type NewMapping,
  updateMapping,
} from '#server/quizzes/field-mappings.store.ts'
import { loadQuizContent, type QuizContent } from '#server/quizzes/quiz-content.ts'
import { sampleContact } from './sample-contact.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'rate_limits'>
  integrations: Pick<Integrations, 'use'>
  tools: Pick<Tools, 'targetOf'>
}
type OwnedQuiz = { quiz_id: string; creator_id: string }

/** Returns the question of a mapping in the draft, or else in the published version. */
const findQuestion = ({ draft, published }: QuizContent, question_id: string | null) =>
  draft.questions.find(({ id }) => id === question_id) ??
  published?.questions.find(({ id }) => id === question_id)

/** Returns the name of the question of a mapping in the draft, or else in the published version. */
const findQuestionName = (
  { draft, published }: QuizContent,
  question_id: string | null,
): string | undefined => {
  for (const questions of [draft.questions, published?.questions ?? []]) {
    const question = questions.find(({ id }) => id === question_id)
    if (question) return questionName(questions, question)
  }
  return undefined
}

/** Returns the dimension of a mapping in the draft, or else in the published version. */
const findDimension = (
  { draft, published }: QuizContent,
  dimension_id: string | null | undefined,
) =>
  draft.dimensions.find(({ id }) => id === dimension_id) ??
  published?.dimensions?.find(({ id }) => id === dimension_id)

const isMeasure = (source: MappingSource): boolean =>
  source === 'measure' || source === 'measure_day'

const messageOf = (row: MappingRow, content: QuizContent): string | null => {
  const { provider, source, question_id, dimension_id, field_type, refused_code } = row
  const question = findQuestion(content, question_id)
  if (source === 'question' && !question) return QUESTION_DELETED
  if (source === 'dimension' && !findDimension(content, dimension_id)) return DIMENSION_DELETED
  if (isMeasure(source) && !content.draft.quiz.measure_consent) return NO_MEASURE
  if (source === 'own_page' && !content.draft.quiz.keeps_page) return NO_OWN_PAGES
  if (refused_code !== null) return fieldRefusal(provider, refused_code)
  if (!acceptingTypes(source, question?.type ?? null).includes(field_type))
    return typeRefusal(field_type)
  if (!isOrphan(row, content)) return null
  return source === 'question' ? QUESTION_DELETED_IN_DRAFT : DIMENSION_DELETED_IN_DRAFT
}

const isOrphan = (
  { question_id, dimension_id = null }: MappedSource,
  { draft }: QuizContent,
): boolean =>
  (question_id !== null && draft.questions.every(({ id }) => id !== question_id)) ||
  (dimension_id !== null && draft.dimensions.every(({ id }) => id !== dimension_id))

const toListedMapping = (row: MappingRow, content: QuizContent): ListedMapping => {
  const { id, provider, source, question_id, dimension_id = null } = row
  const { field_name, field_type, created_at } = row
  return {
    id,
    provider,
    source,
    question_id,
    dimension_id,
    field_name,
    field_type,
    created_at,
    source_label: sourceLabel(
      source,
      findQuestionName(content, question_id),
      findDimension(content, dimension_id),
    ),
    is_found: row.field_key !== null,
    is_orphan: isOrphan(row, content),
    message: messageOf(row, content),
  }
}

type SourceInput = {
  source: MappingSource
  question_id?: string | undefined
  dimension_id?: string | undefined
}

/** Returns the source of a mapping. Throws a 422 if its question or dimension is not in the quiz. */
const readSource = (
  { source, question_id, dimension_id }: SourceInput,
  content: QuizContent,
): MappedSource => {
  if (source === 'dimension') {
    if (dimension_id === undefined || !findDimension(content, dimension_id))
      throw invalid('Cette dimension n’est pas de ce questionnaire', 'dimension_id')
    return { source, question_id: null, dimension_id }
  }
  if (source !== 'question') return { source, question_id: null, dimension_id: null }
  if (question_id === undefined || !findQuestion(content, question_id))
    throw invalid('Cette question n’est pas de ce questionnaire', 'question_id')
  return { source, question_id, dimension_id: null }
}

/** Throws a 422 if a field of this type cannot receive the source. */
const checkType = (
  { source, question_id }: MappedSource,
  type: AccountFields['fields'][number]['type'],
  content: QuizContent,
): void => {
  const question_type = findQuestion(content, question_id)?.type ?? null
  const accepted: readonly string[] = acceptingTypes(source, question_type)
  if (!accepted.includes(type)) throw invalid(typeRefusal(type), 'source')
}

type Field = Pick<NewMapping, 'field_name' | 'field_key' | 'field_type'>

/** Returns the handlers of contract/forwarding/field-mappings.ts. */
const fieldMappingsHandlers = (deps: Dependencies): Handlers<typeof api.fieldMappings> => {
  const { db, tools } = deps
  const accountFields = createAccountReader(deps, (open, tool) => tool.listFields(open))
  const fieldsOf = async (user_id: string, provider: ProviderName) => {
    const { fields } = await accountFields({ user_id, provider }, null)
    return { fields: fields.map(({ key: field_key, ...field }) => ({ field_key, ...field })) }
  }

  /** Returns the named field, or the picked field of the account. Throws a 422 if it cannot receive the source. */
  const readField = async (
    { user_id, provider }: { user_id: string; provider: ProviderName },
    { field_name, field_key }: { field_name?: string | undefined; field_key?: string | undefined },
    { source, content }: { source: MappedSource; content: QuizContent },
  ): Promise<Field> => {
    if (field_key !== undefined) {
      const { fields } = await accountFields({ user_id, provider }, null)
      const picked = fields.find(({ key }) => key === field_key)
      if (!picked)
        throw invalid(`Ce champ n’existe pas dans ${PROVIDER_LABELS[provider]}`, 'field_key')
      const { key, name, type } = picked
      checkType(source, type, content)
      if (type !== 'text' && type !== 'number' && type !== 'date')
        throw invalid(typeRefusal(type), 'field_key')
      return { field_name: name, field_key: key, field_type: type }
    }
    if (field_name === undefined) throw invalid('Choisissez un champ', 'field_name')
    const name = readFieldName(provider, field_name)
    if (name === undefined)
      throw invalid(
        'Chez Brevo, un nom de champ n’a que des lettres sans accent, des chiffres et _, et commence par une lettre',
        'field_name',
      )
    return { field_name: name, field_key: null, field_type: 'text' }
  }

  const checkUnused = (provider: ProviderName, field: Field, { draft }: QuizContent): void => {
    const names = [field.field_name, ...(field.field_key === null ? [] : [field.field_key])]
    const reason = usedFieldReason(usedFieldsOf(provider, draft.quiz), names)
    if (reason) throw invalid(reason, 'field_name')
    if (!names.every((name) => isMappable(provider, name)))
      throw invalid('Ce champ est réservé au contact lui-même', 'field_name')
  }

  const toolsOf = async (
    { quiz_id, creator_id }: OwnedQuiz,
    { draft, published }: QuizContent,
  ): Promise<MappedTool[]> => {
    const { quiz } = draft
    const switches = await listSwitches(db, quiz_id)
    const snapshot = published ?? takeSnapshot(draft)
    return Promise.all(
      PROVIDERS.map(async (provider): Promise<MappedTool> => {
        const connection = await findConnection(db, { user_id: creator_id, provider })
        const target = await tools.targetOf(quiz_id, provider)
        const is_connected = Boolean(connection?.sealed_secret)
        const enabled =
          switches.find((candidate) => candidate.provider === provider)?.enabled ?? false
        return {
          provider,
          is_connected,
          is_enabled: enabled && is_connected,
          sample: sampleContact(target, { snapshot, quiz }, provider),
          used_fields: usedFieldsOf(provider, quiz),
        }
      }),
    )
  }

  return {
    list: async ({ id: quiz_id }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id }
      const { content, rows } = await readInOneSnapshot(db, async (state) => ({
        content: await loadQuizContent(state, owned),
        rows: await listMappings(state, owned),
      }))
      return {
        mappings: rows.map((row) => toListedMapping(row, content)),
        tools: await toolsOf(owned, content),
      }
    },

    add: async ({ id: quiz_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id }
      const { provider, field_name, field_key, ...source_input } = body
      const content = await readInOneSnapshot(db, (state) => loadQuizContent(state, owned))
      const source = readSource(source_input, content)
      const connection = await findConnection(db, { user_id: creator_id, provider })
      if (!connection?.sealed_secret) throw createNotConnectedError()
      const account = { user_id: creator_id, provider }
      const field = await readField(account, { field_name, field_key }, { source, content })
      checkUnused(provider, field, content)
      const mapping_id = await insertMapping(db, owned, { provider, ...source, ...field })
      audit('mapping_added', { actor_id: creator_id, object_id: mapping_id })
      const added = await loadMapping(db, { ...owned, mapping_id })
      return { mapping: toListedMapping(added, content) }
    },

    update: async ({ id: quiz_id, mappingId: mapping_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id, mapping_id }
      const content = await readInOneSnapshot(db, (state) => loadQuizContent(state, owned))
      const known = await loadMapping(db, owned)
      const { field_name, field_key, replaces, ...source_input } = body
      const source = source_input.source
        ? readSource({ ...source_input, source: source_input.source }, content)
        : known
      if (field_name === undefined && field_key === undefined) {
        const { source: kind, question_id, dimension_id } = source
        checkType(source, known.field_type, content)
        await updateMapping(db, owned, { source: kind, question_id, dimension_id, replaces })
      } else {
        const account = { user_id: creator_id, provider: known.provider }
        const field = await readField(account, { field_name, field_key }, { source, content })
        checkUnused(known.provider, field, content)
        await updateMapping(db, owned, { ...(source_input.source && source), ...field, replaces })
      }
      audit('mapping_changed', { actor_id: creator_id, object_id: mapping_id })
      return { mapping: toListedMapping(await loadMapping(db, owned), content) }
    },

    remove: async ({ id: quiz_id, mappingId: mapping_id }, { id: creator_id }) => {
      await deleteMapping(db, { quiz_id, creator_id, mapping_id })
      audit('mapping_removed', { actor_id: creator_id, object_id: mapping_id })
      return undefined
    },

    kitFields: (_input, { id }) => fieldsOf(id, 'convertkit'),
    systemioFields: (_input, { id }) => fieldsOf(id, 'systemio'),
    brevoFields: (_input, { id }) => fieldsOf(id, 'brevo'),
  }
}

/** Mounts the routes of the fields of email tools that receive replies, the score or the result. */
export const registerFieldMappings = (app: FastifyInstance, deps: Dependencies): void =>
  mount(app, api.fieldMappings, fieldMappingsHandlers(deps))
