/**
 * Code of the 404 of a questionnaire that is in the creator's own trash. In a file of its own, because every screen loads
 * the code and few load the other rules of the trash.
 */
export const IN_TRASH = 'in_trash'
