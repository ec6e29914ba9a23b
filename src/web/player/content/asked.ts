/** False in the script of a page that asks as the specification has it (domain/run/visitor-snapshot.ts), which then leaves out what only other questions need. */
export const HAS_QUESTION_OPTIONS: boolean = true
