/** Keys of the edits that are kept on this device. */
export const UNSAVED_EDITS_KEY_PREFIX = 'quizaine.edits.'
