import { isSameContent } from '#domain/common/same-content.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { DIMENSION_NAMES, TEXT_VARIANT_NAMES } from './draft-fields.ts'
import { mergeOrders } from './merge-order.ts'
import {
  type ConflictLocation,
  type MergeContext,
  type MergeSide,
  type MergeVersions,
  mergeRows,
} from './merge-rows.ts'

type RankedRow = { id: string; position: number }

const mergeRankedRows = <Row extends RankedRow>(
  versions: MergeVersions<readonly Row[]>,
  {
    kind,
    names,
    context,
    isReferenced,
  }: {
    kind: ConflictLocation['kind']
    names: readonly (keyof Row & string)[]
    context: MergeContext
    /** Returns true if a side refers to the row, so that the other side cannot delete the row. */
    isReferenced?: (id: string, side: MergeSide) => boolean
  },
): Row[] => {
  const kept = mergeRows<Row>(versions, {
    isEdited: (old, row, side) =>
      names.some((name) => !isSameContent(old[name], row[name])) ||
      (isReferenced?.(row.id, side) ?? false),
    merge: (rows) => context.fields<Row>({ kind, id: rows.mine.id }, names, rows),
  })
  const positions = (rows: readonly Row[]) => rows.map(({ id }) => ({ id, page_number: 0 }))
  const { base, mine, theirs } = versions
  const order = mergeOrders(
    { base: positions(base), mine: positions(mine), theirs: positions(theirs) },
    { kept: new Set(kept.keys()), isMine: context.isPlacedByMe(kind) },
  )
  return order.flatMap(({ id }, position) => {
    const row = kept.get(id)
    return row ? [{ ...row, position }] : []
  })
}

/** Returns the results whose conditional texts an edit added or changed. */
export const resultsWithChangedTexts = (base: Draft, edited: Draft): Set<string> => {
  const known = new Map(base.text_variants.map((variant) => [variant.id, variant]))
  const isChanged = (variant: TextVariant): boolean => {
    const old = known.get(variant.id)
    return !old || TEXT_VARIANT_NAMES.some((name) => !isSameContent(old[name], variant[name]))
  }
  return new Set(edited.text_variants.filter(isChanged).flatMap(({ result_id }) => result_id ?? []))
}

/** Returns the dimensions to which an edit assigned a question. */
const dimensionsWithNewQuestions = (base: Draft, edited: Draft): Set<string> => {
  const known = new Map(base.questions.map(({ id, dimension_id }) => [id, dimension_id]))
  return new Set(
    edited.questions.flatMap(({ id, dimension_id }) =>
      dimension_id !== null && dimension_id !== known.get(id) ? dimension_id : [],
    ),
  )
}

/** Merges the dimensions and the conditional texts of two edits. */
export const mergeDimensionsAndTexts = (
  { base, mine, theirs }: MergeVersions<Draft>,
  context: MergeContext,
): Pick<Draft, 'dimensions' | 'text_variants'> => {
  const assigned = {
    mine: dimensionsWithNewQuestions(base, mine),
    theirs: dimensionsWithNewQuestions(base, theirs),
  }
  return {
    dimensions: mergeRankedRows<Dimension>(
      { base: base.dimensions, mine: mine.dimensions, theirs: theirs.dimensions },
      {
        kind: 'dimension',
        names: DIMENSION_NAMES,
        context,
        isReferenced: (id, side) => assigned[side].has(id),
      },
    ),
    text_variants: mergeRankedRows<TextVariant>(
      { base: base.text_variants, mine: mine.text_variants, theirs: theirs.text_variants },
      { kind: 'text_variant', names: TEXT_VARIANT_NAMES, context },
    ),
  }
}
