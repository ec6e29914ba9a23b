/** As many columns of cards as fit. */
export const CARD_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,23rem),1fr))] gap-4 empty:hidden'

/** A card far off screen is not drawn; its estimated height keeps the scrollbar stable. */
export const CARD_PLACE =
  '[contain-intrinsic-block-size:auto_10.125rem] [content-visibility:auto] max-sm:[contain-intrinsic-block-size:auto_11.375rem]'

export const CARD = 'flex h-full flex-col gap-3 rounded-xl border border-line bg-paper p-4'
