import type { Quiz } from '#domain/quiz.ts'

/** What a way to begin a questionnaire needs of the dialog it is in. */
export type WayProps = {
  /** The quiz has been created: it becomes the first of the list, and its editor opens. */
  onCreated: (quiz: Quiz) => void
}
