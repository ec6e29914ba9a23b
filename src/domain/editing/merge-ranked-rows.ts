import { isSameContent } from '#domain/common/same-content.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { DIMENSION_CONTENT, TEXT_VARIANT_CONTENT } from './draft-fields.ts'
import { mergeOrders } from './merge-order.ts'
import {
  type ConflictLocation,
  type MergeContext,
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
  }: {
    kind: ConflictLocation['kind']
    names: readonly (keyof Row & string)[]
    context: MergeContext
  },
): Row[] => {
  const kept = mergeRows<Row>(versions, {
    isEdited: (old, row) => names.some((name) => !isSameContent(old[name], row[name])),
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

/** Merges the dimensions and the conditional texts of two edits. */
export const mergeDimensionsAndTexts = (
  { base, mine, theirs }: MergeVersions<Draft>,
  context: MergeContext,
): Pick<Draft, 'dimensions' | 'text_variants'> => ({
  dimensions: mergeRankedRows<Dimension>(
    { base: base.dimensions, mine: mine.dimensions, theirs: theirs.dimensions },
    { kind: 'dimension', names: DIMENSION_CONTENT, context },
  ),
  text_variants: mergeRankedRows<TextVariant>(
    { base: base.text_variants, mine: mine.text_variants, theirs: theirs.text_variants },
    { kind: 'text_variant', names: TEXT_VARIANT_CONTENT, context },
  ),
})
