/** Actions on the page of a participant that change stored data: erasure of the replies, and withdrawal of a consent. */
export const PAGE_ACTION_KINDS = ['erased', 'withdrawn', 'measure_withdrawn'] as const
/** Action that a participant took on their page. */
export type PageActionKind = (typeof PAGE_ACTION_KINDS)[number]

/** French sentences about these actions, for creators. */
export const PAGE_ACTION_LABELS: Record<PageActionKind, string> = {
  erased: 'Un participant a effacé ses réponses depuis sa page.',
  withdrawn: 'Un participant a retiré son accord depuis sa page.',
  measure_withdrawn: 'Un participant a retiré son accord pour la mesure depuis sa page.',
}
