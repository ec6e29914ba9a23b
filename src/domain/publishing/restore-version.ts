import { toAssociation } from '#domain/editing/apply-changes.ts'
import {
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  TIE_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import { applyDefaults, type RowInput } from '#domain/questionnaire/fields/apply-defaults.ts'
import { imagesOf } from '#domain/questionnaire/images.ts'
import type {
  Answer,
  AnswerOptions,
  Draft,
  ImageFields,
  Question,
  Quiz,
  QuizColors,
  QuizPage,
  QuizTies,
  Result,
} from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import { replaceConditionIds } from '#domain/questionnaire/text-variants.ts'

/** Content that a restored version cannot keep: ids that now name something else, and deleted images. */
export type UnavailableContent = {
  taken_ids: readonly string[]
  missing_image_ids: readonly string[]
}

const LOOK_DEFAULTS = { ...PAGE_DEFAULTS, ...TIE_DEFAULTS }
type RestoredQuiz = Pick<Quiz, 'name' | 'type'> & QuizColors & QuizPage & QuizTies

/**
 * Returns the draft with the content of a version. Freezing it gives the version again, except for deleted images and
 * taken ids. Status, access, consent and tools are not part of a version and stay.
 */
export const restoreVersion = (
  draft: Draft,
  snapshot: Snapshot,
  { taken_ids, missing_image_ids, createId }: UnavailableContent & { createId: () => string },
): Draft => {
  const quiz_id = draft.quiz.id
  const keepId = keepIds(draft, { taken_ids, createId })
  const ids = new Map<string, string>()
  const idOf = (id: string, place: string): string => {
    const kept = keepId(id, place)
    ids.set(id, kept)
    return kept
  }
  /** Returns the id that a row of the version has now; the id of a deleted row stays. */
  const renewed = (id: string): string => ids.get(id) ?? id
  const isMissing = (id: string | null | undefined): boolean =>
    typeof id === 'string' && missing_image_ids.includes(id)
  const withoutMissingImage = <Row extends ImageFields>(row: Row): Row =>
    isMissing(row.image_id) ? { ...row, image_id: null, image_alt: null } : row

  const dates = new Map(draft.results.map(({ id, updated_at }) => [id, updated_at]))
  const results = snapshot.results.map((frozen): Result => {
    const id = idOf(frozen.id, 'result')
    const row = { ...frozen, id, quiz_id, updated_at: dates.get(id) ?? '' }
    return withoutMissingImage(
      applyDefaults<Result, typeof ENDING_DEFAULTS>(row, undefined, ENDING_DEFAULTS),
    )
  })
  const restoreAnswer = (frozen: SnapshotAnswer, question_id: string): Answer => {
    const id = idOf(frozen.id, `answer of ${question_id}`)
    const associations = frozen.associations.map((link) =>
      toAssociation({
        ...link,
        answer_id: id,
        result_id: renewed(link.result_id),
      }),
    )
    const row: RowInput<Answer, AnswerOptions> = { ...frozen, id, question_id, associations }
    return withoutMissingImage(
      applyDefaults<Answer, AnswerOptions>(row, undefined, ANSWER_DEFAULTS),
    )
  }
  const dimensions = (snapshot.dimensions ?? []).map((frozen, position) => {
    const id = idOf(frozen.id, 'dimension')
    const tiers = frozen.tiers.map((tier) => ({ ...tier, id: idOf(tier.id, `tier of ${id}`) }))
    return { ...frozen, id, quiz_id, position, tiers }
  })
  const questions = snapshot.questions.map(({ consent: _, measure: __, ...frozen }): Question => {
    const id = idOf(frozen.id, questionPlace(frozen))
    const answers = frozen.answers.map((answer) => restoreAnswer(answer, id))
    const dimension_id = frozen.dimension_id && renewed(frozen.dimension_id)
    const row: RowInput<Question, typeof QUESTION_DEFAULTS> = {
      ...frozen,
      id,
      quiz_id,
      answers,
      ...(dimension_id && { dimension_id }),
    }
    return withoutMissingImage(
      applyDefaults<Question, typeof QUESTION_DEFAULTS>(row, undefined, QUESTION_DEFAULTS),
    )
  })
  const text_blocks = snapshot.text_blocks.map((block) => ({
    ...block,
    id: idOf(block.id, 'text_block'),
    quiz_id,
  }))
  const { status: _, ...look } = snapshot.quiz
  const page = applyDefaults<RestoredQuiz, QuizPage & QuizTies>(look, undefined, LOOK_DEFAULTS)
  const tie_question_id = page.tie_question_id && renewed(page.tie_question_id)
  const text_variants = (snapshot.text_variants ?? []).map((frozen, position) => ({
    ...frozen,
    id: idOf(frozen.id, 'text_variant'),
    quiz_id,
    position,
    result_id: frozen.result_id && renewed(frozen.result_id),
    conditions: frozen.conditions.map((condition) => replaceConditionIds(condition, renewed)),
  }))
  return {
    quiz: { ...draft.quiz, ...withoutMissingImages(page, isMissing), tie_question_id },
    quiz_mode: snapshot.quiz_mode,
    questions,
    text_blocks,
    results,
    dimensions,
    text_variants,
  }
}

const questionPlace = ({ type }: Pick<Question, 'type'>): string => `question of ${type}`

/** Returns a function that keeps an id unless another row has it, in this draft or elsewhere. */
const keepIds = (
  draft: Draft,
  { taken_ids, createId }: { taken_ids: readonly string[]; createId: () => string },
): ((id: string, place: string) => string) => {
  const places = new Map<string, string>([
    ...draft.results.map(({ id }) => [id, 'result'] as const),
    ...draft.text_blocks.map(({ id }) => [id, 'text_block'] as const),
    ...draft.text_variants.map(({ id }) => [id, 'text_variant'] as const),
    ...draft.dimensions.flatMap((dimension) => [
      [dimension.id, 'dimension'] as const,
      ...dimension.tiers.map(({ id }) => [id, `tier of ${dimension.id}`] as const),
    ]),
    ...draft.questions.flatMap((question) => [
      [question.id, questionPlace(question)] as const,
      ...question.answers.map(({ id }) => [id, `answer of ${question.id}`] as const),
    ]),
  ])
  const used_ids = new Set(taken_ids)
  return (id, place) => (used_ids.has(id) || (places.get(id) ?? place) !== place ? createId() : id)
}

const withoutMissingImages = <Page extends QuizPage>(
  page: Page,
  isMissing: (id: string | null) => boolean,
): Page => ({
  ...page,
  ...(isMissing(page.welcome_image_id) && { welcome_image_id: null, welcome_image_alt: null }),
  ...(isMissing(page.logo_image_id) && { logo_image_id: null }),
  ...(isMissing(page.background_image_id) && { background_image_id: null }),
})

/** Returns the ids of a version's rows and images. */
export const idsOfVersion = (snapshot: Snapshot): { ids: string[]; image_ids: string[] } => ({
  ids: [
    ...snapshot.results.map(({ id }) => id),
    ...snapshot.text_blocks.map(({ id }) => id),
    ...(snapshot.text_variants ?? []).map(({ id }) => id),
    ...(snapshot.dimensions ?? []).flatMap(({ id, tiers }) => [
      id,
      ...tiers.map((tier) => tier.id),
    ]),
    ...snapshot.questions.flatMap(({ id, answers }) => [id, ...answers.map((answer) => answer.id)]),
  ],
  image_ids: [...imagesOf(snapshot).keys()],
})
