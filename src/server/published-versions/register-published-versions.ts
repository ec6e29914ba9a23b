import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/db/database.ts'
import type { TextParser } from '#server/rich-texts/text-parser.ts'
import { type CompiledVersions, createCompiledVersions } from './compiled-versions.ts'
import { type CurrentVersions, createCurrentVersions } from './current-versions.ts'
import { createVersionReader, type VersionReader } from './published-versions.ts'
import { createQuizSlugs, type QuizSlugs, resolveSlugs } from './quiz-slugs.ts'

/** Published versions and slugs in memory. */
export type PublishedVersions = {
  slugs: QuizSlugs
  versions: CurrentVersions
  compiled: CompiledVersions
  versionReader: VersionReader
}

/**
 * Makes routes below /q/{id} accept the slug of a quiz, and keeps published versions in memory. PostgreSQL notifies this
 * process when another process changes a quiz. Must precede hooks that count calls by quiz.
 */
export const registerPublishedVersions = (
  app: FastifyInstance,
  { db, notifications }: Pick<Database, 'db' | 'notifications'>,
  texts: TextParser,
): PublishedVersions => {
  const slugs = createQuizSlugs(db)
  resolveSlugs(app, slugs)
  const versions = createCurrentVersions(db)
  const changes = notifications.listen('quiz_changes', {
    onChange: versions.forget,
    onGap: versions.forgetAll,
  })
  app.addHook('onClose', () => changes.close())
  const compiled = createCompiledVersions(db, texts)
  return {
    slugs,
    versions,
    compiled,
    versionReader: createVersionReader(db, { compiled, versions }),
  }
}
