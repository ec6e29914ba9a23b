/** False in the script of a plain page (domain/visitor-snapshot.ts), which then leaves out what only other pages show. */
export const HAS_PARTS: boolean = true
