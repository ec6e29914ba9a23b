/** Rights that a participant can use on their page and that change what is stored. */
export const PAGE_ACTION_KINDS = ['erased', 'withdrawn'] as const
/** Right that a participant used on their page. */
export type PageActionKind = (typeof PAGE_ACTION_KINDS)[number]

/** Sentences about used rights, as creators read them. */
export const PAGE_ACTION_LABELS: Record<PageActionKind, string> = {
  erased: 'Un participant a effacé ses réponses depuis sa page.',
  withdrawn: 'Un participant a retiré son accord depuis sa page.',
}
