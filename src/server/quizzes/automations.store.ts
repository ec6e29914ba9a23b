import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import type { AutomationRule, AutomationSubject } from '#domain/deliveries/automations.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import { loadQuiz } from './quizzes.store.ts'

type OwnedQuiz = { quiz_id: string; creator_id: string }
/** Stored automation rule of a quiz. */
export type AutomationRow = AutomationRule & { id: string; created_at: string }

const COLUMNS = [
  'automations.id',
  'automations.provider',
  'result_id',
  'question_id',
  'answer_id',
  'dimension_id',
  'tier_id',
  'label_name',
  'label_kind',
  'vendor_id',
  'automations.created_at',
] as const

const selectOwn = (db: Db, { quiz_id, creator_id }: OwnedQuiz) =>
  db
    .selectFrom('automations')
    .innerJoin('quizzes', 'quizzes.id', 'automations.quiz_id')
    .where('automations.quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .select(COLUMNS)
    .$narrowType<Required<AutomationSubject>>()

/** Lists the automation rules of a quiz of the creator, oldest first. */
export const listAutomations = (db: Db, owned: OwnedQuiz): Promise<AutomationRow[]> =>
  selectOwn(db, owned).orderBy('automations.created_at').orderBy('automations.id').execute()

/**
 * Returns one automation rule of a quiz of the creator. Throws a 404 if the rule is absent or belongs to
 * another creator.
 */
export const loadAutomation = async (
  db: Db,
  { automation_id, ...owned }: OwnedQuiz & { automation_id: string },
): Promise<AutomationRow> => {
  const row = await selectOwn(db, owned)
    .where('automations.id', '=', automation_id)
    .executeTakeFirst()
  if (!row) throw notFound('Automatisation introuvable')
  return row
}

/** SQL expression for the rules of a `quiz_integrations` row, as a JSON array, oldest first. */
export const loadAutomationRules = sql<AutomationRule[]>`(
  select coalesce(json_agg(rule order by rule.created_at, rule.id), '[]') from automations as rule
  where rule.quiz_id = quiz_integrations.quiz_id and rule.provider = quiz_integrations.provider
)`

/** Returns true if two rules would apply the same label for the same reason. */
const isSame = (rule: AutomationRule, other: AutomationRule): boolean =>
  rule.provider === other.provider &&
  rule.result_id === other.result_id &&
  rule.answer_id === other.answer_id &&
  (rule.tier_id ?? null) === (other.tier_id ?? null) &&
  rule.label_kind === other.label_kind &&
  rule.label_name.toLowerCase() === other.label_name.toLowerCase() &&
  // A rule without a vendor id applies to any label of that name.
  (rule.vendor_id === null || other.vendor_id === null || rule.vendor_id === other.vendor_id)

/** Returns true if the creator has to pick the label of a rule again, because the connected account was replaced. */
const isUnpicked = ({ label_kind, vendor_id }: AutomationRule): boolean =>
  label_kind !== null && vendor_id === null

/**
 * Adds a rule and returns its id. The picked label replaces that of a rule whose label has to be picked again. Throws a
 * 409 for too many rules, and a 422 if the quiz already has an equal rule.
 */
export const insertAutomation = (
  db: Db,
  { quiz_id, creator_id }: OwnedQuiz,
  rule: AutomationRule,
): Promise<string> =>
  db.transaction().execute(async (adding) => {
    await loadQuiz(adding, { quiz_id, creator_id }, 'lock')
    const known = await listAutomations(adding, { quiz_id, creator_id })
    const max_automations = LIMITS.automations_per_quiz
    const same = known.filter((existing) => isSame(existing, rule))
    const [unpicked] = same.filter(isUnpicked)
    if (unpicked && same.length === 1) {
      const { id } = unpicked
      const { vendor_id } = rule
      await adding.updateTable('automations').set({ vendor_id }).where('id', '=', id).execute()
      return id
    }
    if (known.length >= max_automations)
      throw conflict(
        'too_many_automations',
        `Un questionnaire a au plus ${max_automations} automatisations.`,
      )
    if (same.length > 0) throw invalid('Cette automatisation est déjà dans la liste', 'label_name')
    const id = randomUUIDv7()
    await adding
      .insertInto('automations')
      .values({ id, quiz_id, ...rule })
      .execute()
    return id
  })

/** Deletes a rule of a quiz of the creator. Throws a 404 if the rule is absent or belongs to another creator. */
export const deleteAutomation = async (
  db: Db,
  { quiz_id, creator_id, automation_id }: OwnedQuiz & { automation_id: string },
): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom('automations')
    .using('quizzes')
    .whereRef('quizzes.id', '=', 'automations.quiz_id')
    .where('automations.id', '=', automation_id)
    .where('automations.quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('Automatisation introuvable')
}

/**
 * Copies the rules of a draft to its duplicate, in the same order. The copied rules refer to the results, answers and
 * tiers of the duplicate.
 */
export const copyAutomations = async (
  db: Db,
  { original, copy, creator_id }: { original: Draft; copy: Draft; creator_id: string },
): Promise<void> => {
  const owned = { quiz_id: original.quiz.id, creator_id }
  const ids = copiedIds(original, copy)
  const values = (await listAutomations(db, owned)).flatMap((rule) => {
    const copyOf = (id: string | null | undefined): string | null =>
      id ? (ids.get(id) ?? id) : null
    const own = rule.tier_id ?? rule.answer_id ?? rule.result_id ?? ''
    if (!ids.has(own)) return []
    const subject = {
      result_id: copyOf(rule.result_id),
      question_id: copyOf(rule.question_id),
      answer_id: copyOf(rule.answer_id),
      dimension_id: copyOf(rule.dimension_id),
      tier_id: copyOf(rule.tier_id),
    }
    return [{ ...rule, ...subject, id: randomUUIDv7(), quiz_id: copy.quiz.id }]
  })
  if (values.length > 0) await db.insertInto('automations').values(values).execute()
}

/**
 * Maps the id of each result, question, answer, dimension and tier of a draft to the id of its copy. Both drafts have
 * the same order.
 */
const copiedIds = (original: Draft, copy: Draft): Map<string, string> => {
  const idsOf = ({ results, questions, dimensions }: Draft): string[] => [
    ...results.map(({ id }) => id),
    ...dimensions.flatMap(({ id, tiers }) => [id, ...tiers.map((tier) => tier.id)]),
    ...questions.flatMap(({ id, answers }) => [id, ...answers.map((answer) => answer.id)]),
  ]
  const copied = idsOf(copy)
  return new Map(idsOf(original).map((id, at) => [id, copied[at] ?? id]))
}

/**
 * Clears the vendor ids of all rules of a creator for one tool, because the connected account was replaced. Tags and
 * lists are then found again by name; other kinds have to be picked again. The oldest of several rules that differ only
 * by vendor id stays.
 */
export const clearVendorIds = async (
  db: Db,
  { user_id, provider }: { user_id: string; provider: ProviderName },
): Promise<void> => {
  await sql`
    delete from automations as later using all_quizzes
    where all_quizzes.id = later.quiz_id and creator_id = ${user_id} and provider = ${provider}
      and exists (
        select from automations as earlier
        where (earlier.quiz_id, earlier.provider) = (later.quiz_id, later.provider)
          and coalesce(earlier.result_id, earlier.answer_id, earlier.tier_id)
            = coalesce(later.result_id, later.answer_id, later.tier_id)
          and earlier.label_kind is not distinct from later.label_kind
          and lower(earlier.label_name) = lower(later.label_name)
          and (earlier.created_at, earlier.id) < (later.created_at, later.id)
      )
  `.execute(db)
  await sql`
    update automations set vendor_id = null from all_quizzes
    where all_quizzes.id = quiz_id and creator_id = ${user_id} and provider = ${provider}
      and vendor_id is not null
  `.execute(db)
}
