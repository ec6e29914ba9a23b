/** Keys of the edits that are kept on this device. */
export const KEPT_PREFIX = 'quizaine.edits.'
