/** False in the script of a page that asks as the specification has it (domain/visitor-snapshot.ts), which then leaves out what only other questions need. */
export const ASKS_MORE: boolean = true
