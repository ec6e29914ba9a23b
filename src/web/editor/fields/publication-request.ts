/** History state that opens the publish dialog of an editor screen. */
export const PUBLICATION_REQUEST = { is_publication: true } as const

/** Returns true if a history state asks for the publish dialog. */
export const isPublicationRequested = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'is_publication' in state
