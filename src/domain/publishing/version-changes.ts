import { CONTACT_ROLES, type ContactRole } from '#domain/common/vocabulary.ts'
import { changesBetween } from '#domain/editing/changes.ts'
import {
  ANSWER_NAMES,
  QUESTION_NAMES,
  type QuizFields,
  RESULT_NAMES,
  TEXT_VARIANT_NAMES,
} from '#domain/editing/draft-fields.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { SAVED_QUIZ_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  groupIntoPages,
  itemsInOrder,
  mapPageNumbers,
  placeOf,
} from '#domain/questionnaire/pages.ts'
import type { Answer, Draft, Quiz } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { restoreVersion } from './restore-version.ts'

type Counts = { added: number; removed: number; changed: number }

/** Parts of a quiz that a version can change in addition to its rows. */
export const CHANGED_PARTS = [
  'name',
  'type',
  'mode',
  'ties',
  'welcome',
  'end',
  'look',
  'ending',
  'corrections',
  'report',
  'wording',
  'auto_advance',
  'items_order',
  'pages',
  'answers_order',
  'results_order',
  'dimension_questions',
  'dimensions_order',
  'dimension_chart',
  'dimension_rule',
  'text_variants_order',
] as const
/** Part of a quiz in addition to its rows. */
export type ChangedPart = (typeof CHANGED_PARTS)[number]

/** Changes of a version against the previous one. Answers are counted in questions that both versions have. */
export type VersionChanges = {
  questions: Counts
  answers: Counts
  text_blocks: Counts
  results: Counts
  /** New names of the results whose tier has changed. */
  tiers: string[]
  /** Contact roles whose question was added, removed or replaced. */
  contact_roles: ContactRole[]
  dimensions: Counts
  /** New names of the dimensions whose tiers have changed. */
  dimension_tiers: string[]
  text_variants: Counts
  parts: ChangedPart[]
}

/** Restores into an empty draft, where every id is free. */
const WITHOUT_CONFLICTS = { taken_ids: [], missing_image_ids: [], createId: () => '' }

/** Returns the changes between two versions by row and field, as `changesBetween` counts them. */
export const versionChanges = (
  quiz: Quiz,
  { before, after }: { before: Snapshot; after: Snapshot },
): VersionChanges => {
  const empty: Draft = {
    quiz,
    quiz_mode: null,
    questions: [],
    text_blocks: [],
    results: [],
    dimensions: [],
    text_variants: [],
  }
  const old = restoreVersion(empty, before, WITHOUT_CONFLICTS)
  const now = restoreVersion(empty, after, WITHOUT_CONFLICTS)
  const changes = changesBetween(old, now)
  const isTier = (name: string): boolean => name === 'min_score' || name === 'max_score'
  const ofResults = RESULT_NAMES.filter((name) => !isTier(name))
  const ofQuestions = QUESTION_NAMES.filter(
    (name) => name !== 'contact_role' && name !== 'dimension_id',
  )
  const known = new Set([...old.results, ...old.dimensions].map(({ id }) => id))
  const tiered = idsWith(changes.dimensions, ['tiers'])
  const moved = new Set(
    changes.results.filter((row) => Object.keys(row).some(isTier)).map(({ id }) => id),
  )
  return {
    questions: count(old.questions, now.questions, idsWith(changes.questions, ofQuestions)),
    answers: answersBetween(old, now, changes),
    text_blocks: count(
      old.text_blocks,
      now.text_blocks,
      idsWith(changes.text_blocks, ['content'] as const),
    ),
    results: count(old.results, now.results, idsWith(changes.results, ofResults)),
    tiers: now.results.filter(({ id }) => known.has(id) && moved.has(id)).map(({ name }) => name),
    contact_roles: CONTACT_ROLES.filter(
      (role) => idsWithRole(old, role) !== idsWithRole(now, role),
    ),
    dimensions: count(
      old.dimensions,
      now.dimensions,
      idsWith(changes.dimensions, ['name', 'description']),
    ),
    dimension_tiers: now.dimensions
      .filter(({ id }) => known.has(id) && tiered.has(id))
      .map(({ name }) => name),
    text_variants: count(
      old.text_variants,
      now.text_variants,
      idsWith(changes.text_variants, TEXT_VARIANT_NAMES),
    ),
    parts: partsBetween(old, now, {
      fields: Object.keys(changes.quiz) as (keyof QuizFields)[],
      hasOtherRule: hasOtherRule(before, after),
    }),
  }
}

/** Returns true if both versions have dimensions, and compute their percentages by different rules. */
const hasOtherRule = (before: Snapshot, after: Snapshot): boolean =>
  !!before.dimensions && !!after.dimensions && before.dimension_rule !== after.dimension_rule

/** Returns the ids of the questions with a role, in one text. */
const idsWithRole = ({ questions }: Draft, role: ContactRole): string =>
  questions
    .filter((question) => contactRoleOf(question) === role)
    .map(({ id }) => id)
    .join(' ')

type Row = { id: string }

/** Returns the ids of rows in which one of these fields has changed. */
const idsWith = <Saved extends Row>(
  rows: readonly Saved[],
  names: readonly (keyof Saved)[],
): Set<string> =>
  new Set(rows.filter((row) => names.some((name) => name in row)).map(({ id }) => id))

const count = (
  before: readonly Row[],
  after: readonly Row[],
  changed: ReadonlySet<string>,
): Counts => {
  const old = new Set(before.map(({ id }) => id))
  const now = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !old.has(id)).length,
    removed: before.filter(({ id }) => !now.has(id)).length,
    changed: after.filter(({ id }) => old.has(id) && changed.has(id)).length,
  }
}

/** Returns the questions that both drafts have, before and after. */
const bothQuestions = (before: Draft, after: Draft) => {
  const known = new Map(before.questions.map((question) => [question.id, question]))
  return after.questions.flatMap((now) => {
    const old = known.get(now.id)
    return old ? [{ old, now }] : []
  })
}

const answersBetween = (
  before: Draft,
  after: Draft,
  { answers, associations }: ReturnType<typeof changesBetween>,
): Counts => {
  const words = ANSWER_NAMES.filter((name) => name !== 'jump_to')
  const changed = idsWith(answers, words)
  for (const { answer_id } of associations) changed.add(answer_id)
  // A jump that only followed its page has not changed.
  const follow = mapPageNumbers(before, after)
  const isRedirected = (old: Answer, now: Answer): boolean =>
    (old.jump_to === null ? null : follow(old.jump_to)) !== now.jump_to
  const sum: Counts = { added: 0, removed: 0, changed: 0 }
  for (const { old, now } of bothQuestions(before, after)) {
    const known = new Map(old.answers.map((answer) => [answer.id, answer]))
    for (const answer of now.answers) {
      const earlier = known.get(answer.id)
      if (earlier && isRedirected(earlier, answer)) changed.add(answer.id)
    }
    const { added, removed, changed: nb_changed } = count(old.answers, now.answers, changed)
    sum.added += added
    sum.removed += removed
    sum.changed += nb_changed
  }
  return sum
}

const partsBetween = (
  before: Draft,
  after: Draft,
  { fields, hasOtherRule }: { fields: readonly (keyof QuizFields)[]; hasOtherRule: boolean },
): ChangedPart[] => {
  const parts = new Set<ChangedPart>(fields.flatMap((name) => SAVED_QUIZ_FIELDS[name].part ?? []))
  const items = (draft: Draft): Row[] => itemsInOrder(draft).map(placeOf)
  const areAnswersMoved = bothQuestions(before, after).some(({ old, now }) =>
    isReordered(old.answers, now.answers),
  )
  if (before.quiz_mode !== after.quiz_mode) parts.add('mode')
  if (isReordered(items(before), items(after))) parts.add('items_order')
  if (arePagesChanged(before, after)) parts.add('pages')
  if (areAnswersMoved) parts.add('answers_order')
  if (isReordered(before.results, after.results)) parts.add('results_order')
  if (bothQuestions(before, after).some(({ old, now }) => old.dimension_id !== now.dimension_id))
    parts.add('dimension_questions')
  if (isReordered(before.dimensions, after.dimensions)) parts.add('dimensions_order')
  if (hasOtherRule) parts.add('dimension_rule')
  if (isReordered(before.text_variants, after.text_variants)) parts.add('text_variants_order')
  return CHANGED_PARTS.filter((part) => parts.has(part))
}

/** Returns true if the common rows of both lists have another order. */
const isReordered = (before: readonly Row[], after: readonly Row[]): boolean => {
  const now = new Set(after.map(({ id }) => id))
  const old = new Set(before.map(({ id }) => id))
  const left = before.filter(({ id }) => now.has(id))
  const right = after.filter(({ id }) => old.has(id))
  return left.some(({ id }, rank) => right[rank]?.id !== id)
}

/** Returns true if the common items of both drafts are grouped into other pages. */
const arePagesChanged = (before: Draft, after: Draft): boolean => {
  const idsOf = (draft: Draft): Set<string> =>
    new Set(itemsInOrder(draft).map((item) => placeOf(item).id))
  const [old, now] = [idsOf(before), idsOf(after)]
  const pagesOf = (draft: Draft): string[] =>
    groupIntoPages(draft)
      .map(({ items }) =>
        items
          .map((item) => placeOf(item).id)
          .filter((id) => old.has(id) && now.has(id))
          .sort()
          .join(),
      )
      .filter((page) => page !== '')
      .sort()
  return pagesOf(before).join(' ') !== pagesOf(after).join(' ')
}
