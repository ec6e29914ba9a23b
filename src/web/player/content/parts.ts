/** False in the script of a plain page (domain/run/visitor-snapshot.ts), which then leaves out what only other pages show. */
export const HAS_PAGE_OPTIONS: boolean = true
