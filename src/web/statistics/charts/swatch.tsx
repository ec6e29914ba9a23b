import { fillOf } from './fills.ts'

/** A square in a data colour, beside the words that it stands for. */
export const Swatch = ({ color }: { color: number }) => (
  <svg aria-hidden="true" className="size-2.5 shrink-0">
    <rect width="100%" height="100%" rx={3} className={fillOf(color)} />
  </svg>
)
