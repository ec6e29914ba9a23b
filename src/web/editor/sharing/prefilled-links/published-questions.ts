import { queryOptions } from '@tanstack/react-query'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { client } from '#web/api/client.ts'

/** Returns the query of the questions that visitors see now, whose numbers and names a link uses. */
export const publishedQuestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'published-questions'],
    queryFn: async (): Promise<SnapshotQuestion[]> => {
      const { versions } = await client.versions.list({ id })
      const current = versions.find(({ is_current }) => is_current)
      if (!current) return []
      const { snapshot } = await client.versions.get({ id, version: `${current.version}` })
      return snapshot.questions
    },
    staleTime: 0,
  })
