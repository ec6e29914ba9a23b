/** What a quiz as a file is known by, and how much it may hold; apart, as a screen needs no more of it. */

export const QUIZ_FILE_FORMAT = 'quizaine-quiz'
/** Goes up with each field that is added: an older reader refuses the file rather than drop what it does not know. */
export const QUIZ_FILE_VERSION = 1

/** The largest file in bytes, and the most pictures in it. */
export const LARGEST_QUIZ_FILE = 32 * 1_048_576
export const MOST_FILE_PICTURES = 100
