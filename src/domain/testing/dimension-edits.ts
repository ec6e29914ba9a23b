import { DIMENSION_CHARTS, LIMITS, VARIANT_PLACES } from '#domain/common/vocabulary.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { conditionIn, dimensionOf, textVariantOf, tierOf } from './draft-dimensions.ts'

/** Edits of dimensions and conditional texts, as a creator makes them in the editor. */
export const DIMENSION_EDITS = [
  'set_chart',
  'add_dimension',
  'rename_dimension',
  'set_tiers',
  'move_dimension',
  'remove_dimension',
  'assign_dimension',
  'add_variant',
  'set_variant_text',
  'set_conditions',
  'move_variant',
  'remove_variant',
] as const

type DimensionEdit = {
  name: (typeof DIMENSION_EDITS)[number]
  rank: number
  to: number
  text: string
}

/** Returns true if the edit concerns dimensions or conditional texts. */
export const isDimensionEdit = <Edit extends { name: string }>(
  edit: Edit,
): edit is Edit & { name: (typeof DIMENSION_EDITS)[number] } =>
  (DIMENSION_EDITS as readonly string[]).includes(edit.name)

const positioned = <Row extends { position: number }>(rows: readonly Row[]): Row[] =>
  rows.map((row, position) => ({ ...row, position }))

const moved = <Row>(rows: readonly Row[], from: number, to: number): Row[] => {
  const lifted = rows.slice(from, from + 1)
  return rows.toSpliced(from, 1).toSpliced(to, 0, ...lifted)
}

/** Returns the draft after an edit. `rank` and `to` choose rows, modulo the number of rows. */
export const editDimensions = (
  draft: Draft,
  { name, rank, to, text }: DimensionEdit,
  newId: () => string,
): Draft => {
  const { dimensions, text_variants, questions, results } = draft
  const quiz_id = draft.quiz.id
  const at = rank % Math.max(1, dimensions.length)
  const place = rank % Math.max(1, text_variants.length)
  const changed = <Row>(rows: readonly Row[], index: number, change: (row: Row) => Row): Row[] =>
    rows.map((row, rank) => (rank === index ? change(row) : row))
  switch (name) {
    case 'set_chart': {
      const dimension_chart = DIMENSION_CHARTS[rank % DIMENSION_CHARTS.length] ?? 'bars'
      return { ...draft, quiz: { ...draft.quiz, dimension_chart } }
    }
    case 'add_dimension': {
      if (dimensions.length === LIMITS.dimensions) return draft
      const dimension = dimensionOf(newId(), { quiz_id, name: text })
      return { ...draft, dimensions: positioned([...dimensions, dimension]) }
    }
    case 'rename_dimension':
      return { ...draft, dimensions: changed(dimensions, at, (row) => ({ ...row, name: text })) }
    case 'set_tiers': {
      const tiers = [tierOf(newId(), 0, to, { title: text }), tierOf(newId(), to + 1, 100)]
      return { ...draft, dimensions: changed(dimensions, at, (row) => ({ ...row, tiers })) }
    }
    case 'move_dimension':
      return { ...draft, dimensions: positioned(moved(dimensions, at, to)) }
    case 'remove_dimension':
      return { ...draft, dimensions: positioned(dimensions.toSpliced(at, 1)) }
    case 'assign_dimension': {
      const dimension_id = dimensions[to % (dimensions.length + 1)]?.id ?? null
      const asked = rank % Math.max(1, questions.length)
      return { ...draft, questions: changed(questions, asked, (row) => ({ ...row, dimension_id })) }
    }
    case 'add_variant': {
      if (text_variants.length === LIMITS.text_variants) return draft
      const result_id = results[to]?.id ?? null
      const where = result_id ? 'result' : (VARIANT_PLACES[1 + (to % 3)] ?? 'end')
      const variant = textVariantOf(newId(), { quiz_id, text, place: where, result_id })
      return { ...draft, text_variants: positioned([...text_variants, variant]) }
    }
    case 'set_variant_text':
      return { ...draft, text_variants: changed(text_variants, place, (row) => ({ ...row, text })) }
    case 'set_conditions': {
      const rank = to % 4
      const asked = to % 2 === 0 ? questions[rank]?.answers : dimensions[rank]?.tiers
      // An editor offers only rows of the draft, and the server refuses ids that are no UUIDs.
      if (!asked?.[0]) return draft
      const condition = conditionIn(draft, {
        kind: to % 2 === 0 ? 'answer_chosen' : 'dimension_tier',
        target: rank,
        of: 0,
        from: 0,
        to: 5,
      })
      const conditions = [condition]
      return {
        ...draft,
        text_variants: changed(text_variants, place, (row) => ({ ...row, conditions })),
      }
    }
    case 'move_variant':
      return { ...draft, text_variants: positioned(moved(text_variants, place, to)) }
    case 'remove_variant':
      return { ...draft, text_variants: positioned(text_variants.toSpliced(place, 1)) }
  }
}
