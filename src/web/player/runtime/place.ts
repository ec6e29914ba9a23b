/** Where the next node belongs. */
export type Place = {
  parent: Element
  /** What it stands before. */
  at: ChildNode | null
  /** Whether the server wrote the nodes that stand there. */
  is_written: boolean
  /** What components do once all is shown, parts before the whole. */
  after: (() => void)[]
}

/** Ends a node; the place moves on when it was there. */
export const removeNode = (place: Place, node: ChildNode): void => {
  if (place.at === node) place.at = node.nextSibling
  node.remove()
}

/** Ends all that is left of what was there: nobody's. */
export const removeRest = (place: Place): void => {
  while (place.at) removeNode(place, place.at)
}

/** The text that the server wrote here, if any. */
export const findText = ({ is_written, at }: Place): Text | undefined =>
  is_written && at instanceof Text ? at : undefined

/** The element that the server wrote here, if any; what stands before it is nobody's, and goes. */
export const findElement = (place: Place, tag: string): HTMLElement | undefined => {
  while (place.is_written && place.at) {
    if (place.at instanceof HTMLElement && place.at.localName === tag) return place.at
    removeNode(place, place.at)
  }
  return undefined
}

/** Puts a new node here; what it is to stand before may have been taken elsewhere, as translations do. */
export const insertNode = <N extends ChildNode>(place: Place, node: N): N =>
  place.parent.insertBefore(node, place.at?.parentNode === place.parent ? place.at : null)
