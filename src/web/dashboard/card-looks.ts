/** As many cards beside one another as there is room for. */
export const CARD_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,23rem),1fr))] gap-4 empty:hidden'

/** A card that is far from the screen is not drawn; its usual height keeps the scrollbar calm meanwhile. */
export const CARD_PLACE =
  '[contain-intrinsic-block-size:auto_10.125rem] [content-visibility:auto] max-sm:[contain-intrinsic-block-size:auto_11.375rem]'

export const CARD = 'flex h-full flex-col gap-3 rounded-xl border border-line bg-paper p-4'
