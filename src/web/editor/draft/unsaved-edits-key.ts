/** Prefix of the local storage keys of unsaved edits. */
export const UNSAVED_EDITS_KEY_PREFIX = 'quizaine.edits.'
