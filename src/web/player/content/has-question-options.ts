/**
 * False in the scripts of pages without question options (`playerKindOf` in domain/run/visitor-snapshot.ts), which then
 * leave out the code of the options.
 */
export const HAS_QUESTION_OPTIONS: boolean = true
