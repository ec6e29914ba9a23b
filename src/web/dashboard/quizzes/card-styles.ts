/** Grid with as many columns of cards as fit. */
export const CARD_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,21.5rem),1fr))] gap-5 empty:hidden'

/**
 * Skips the rendering of cards far off screen; the estimated height keeps the scrollbar stable. The padding leaves
 * room for the shadow, which is larger on hover.
 */
export const CARD_PLACE =
  '-m-2 p-2 [contain-intrinsic-block-size:auto_20.5625rem] [content-visibility:auto] hover:[content-visibility:visible]'

/** Classes of a card. */
export const CARD = 'flex h-full flex-col rounded-xl bg-card shadow-card'

/** Classes of the parts of a card; each part has the same height in the skeleton. */
export const MINIATURE =
  'relative flex min-h-33 flex-col gap-2 overflow-hidden rounded-t-xl border-b border-line px-5 pt-4.5 pb-4'
/** Classes of the part below the miniature. */
export const CARD_BODY = 'flex grow flex-col gap-3 px-4 pt-3.5 pb-3'
/** Classes of the row with status, kind and date. */
export const KIND_ROW = 'flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-2'
/** Classes of the row of figures. */
export const FIGURES_ROW = 'flex min-h-11 flex-wrap items-end gap-x-3 gap-y-2 sm:gap-x-5'
/** Classes of the row with the distribution of results. */
export const SPLIT_ROW = 'flex min-h-5 items-center text-sm text-ink-2'
/** Classes of the row of actions. */
export const ACTIONS_ROW =
  'mt-auto flex min-h-11.5 flex-wrap items-center gap-2 max-sm:gap-1 border-t border-line pt-2.5 pointer-coarse:min-h-13.5 pointer-coarse:*:min-h-11'
