import { useState } from 'react'
import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { useEditorCache } from './editor-cache.ts'
import { type Autosaving, useAutosave } from './use-autosave.ts'

/** Spec §9 « Autosave delay: results, name, colours ». */
export const QUIZ_DELAY_MS = 500

export type QuizName = Autosaving & { name: string; rename: (name: string) => void }

/** The name of the quiz while it is typed; a blank one is never saved (spec §4, §5). */
export const useQuizName = (
  { id, name: known }: Pick<Quiz, 'id' | 'name'>,
  { is_paused }: { is_paused: boolean },
): QuizName => {
  const cache = useEditorCache(id)
  const [name, setName] = useState(known)
  const written = name.trim()

  const autosaving = useAutosave({
    key: `${id}/name`,
    value: written || known,
    save: async (value) => {
      await client.quizzes.update({ id, body: { name: value } })
      cache.quizChanged({ name: value })
      cache.draftStored()
    },
    delay_ms: QUIZ_DELAY_MS,
    is_paused,
  })

  const rename = (typed: string): void => {
    setName(typed)
    if (typed.trim()) cache.quizChanged({ name: typed.trim() })
  }

  return { ...autosaving, name, rename }
}
