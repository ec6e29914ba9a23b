import type { ReactElement } from 'react'

/** Marks an element whose attributes and children stay as the server has rendered them. */
export const keepServerMarkup = (node: ReactElement): ReactElement =>
  Object.assign(node, { is_kept: true })
