import type { Snapshot, SnapshotQuestion, SnapshotResult } from '#domain/questionnaire/snapshot.ts'

/** Result of `certificateSnapshot`, which every total gives. */
export const ONLY_RESULT: SnapshotResult = {
  id: 'r',
  name: 'Bravo',
  description: null,
  priority_order: 0,
  min_score: null,
  max_score: null,
}

/** Returns a version of a quiz by score with one result. */
export const certificateSnapshot = (
  questions: SnapshotQuestion[],
  quiz: Partial<Snapshot['quiz']> = {},
): Snapshot => ({
  quiz: {
    name: 'Sécurité',
    type: 'quiz',
    status: 'Publié',
    bg_color: null,
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: null,
    ...quiz,
  },
  questions,
  text_blocks: [],
  results: [ONLY_RESULT],
  quiz_mode: 'score',
})
