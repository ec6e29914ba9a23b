/**
 * False in the script of a plain page (`playerKindOf` in domain/run/visitor-snapshot.ts), which then leaves out pictures,
 * links, marks and the welcome screen.
 */
export const HAS_PAGE_OPTIONS: boolean = true
