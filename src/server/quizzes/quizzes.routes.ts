import { randomUUIDv7 } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { PUBLISHED } from '#domain/common/vocabulary.ts'
import { duplicateDraft } from '#domain/questionnaire/duplicate-draft.ts'
import { resetMode } from '#domain/questionnaire/mode.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { printText } from '#domain/text-format/print-text.ts'
import { findTimeZone } from '#server/account/account.store.ts'
import { audit } from '#server/audit/audit.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { putInFolder } from '#server/folders/folders.store.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { type Handlers, Reply, signalOf } from '#server/http/edge/mount.ts'
import { attachment, fileName } from '#server/http/pages/file-names.ts'
import { copyAutomations } from './automations.store.ts'
import { importText, storeNewQuiz } from './create-quiz.ts'
import { loadDraft } from './draft.store.ts'
import { copyMappings } from './field-mappings.store.ts'
import { type FreezeDraft, publishInTurn } from './freeze-in-thread.ts'
import { hasUnpublishedChanges, publishQuiz } from './publish-quiz.ts'
import { ACCESS_FIELDS, insertQuiz, listQuizzes, loadQuiz } from './quizzes.store.ts'
import { editDraft } from './save-changes.ts'
import { saveQuiz } from './save-quiz.ts'
import { checkSlug } from './slugs.store.ts'
import { countTrash, listTrash } from './trash.store.ts'
import type { Trash } from './trash.ts'

/** Dependencies of the handlers of quizzes. */
export type QuizzesDependencies = {
  db: Db
  heavyWork: Pick<HeavyWork, 'run' | 'runInThread'>
  /** Maximum total size in bytes of the published versions of one creator. */
  version_quota: number
  freeze: FreezeDraft
  trash: Pick<Trash, 'put' | 'deleteForEver'>
  /** True if a mail server is configured, without which no address can be confirmed. */
  has_mail_server: boolean
  /** Called after the commit if the page at the quiz's address has changed. */
  onChange: (quiz_id: string) => Promise<void>
  /** Called after the commit of a new slug, because processes may have cached that the slug leads nowhere. */
  forgetSlug: (slug: string) => void
}

/** Handlers of contract/quizzes.ts. */
export const quizzesHandlers = ({
  db,
  heavyWork,
  version_quota,
  freeze,
  trash,
  has_mail_server,
  onChange,
  forgetSlug,
}: QuizzesDependencies): Handlers<typeof api.quizzes> => ({
  list: async ({ trash: isTrash }, { id }) => {
    const quizzes = await (isTrash ? listTrash : listQuizzes)(db, id)
    return { quizzes, nb_trashed: await countTrash(db, id) }
  },

  get: async ({ id }, creator) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    const { quiz, questions, results } = await readInOneSnapshot(db, (read) =>
      loadDraft(read, owned),
    )
    const answers = questions.flatMap((question) => question.answers)
    return {
      quiz,
      questions,
      answers,
      results,
      free_fields: questions.filter((question) => !isChoice(question)),
      answer_results: answers.flatMap(({ associations }) => associations),
    }
  },

  create: async ({ body: { name, type } }, creator) => {
    const quiz_id = randomUUIDv7()
    await insertQuiz(db, { id: quiz_id, creator_id: creator.id, name, type })
    return loadOne(db, { quiz_id, creator_id: creator.id })
  },

  update: async ({ id, body }, creator, request) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    const save = () =>
      db
        .transaction()
        .execute((change) =>
          saveQuiz(change, { ...owned, version_quota, freeze, has_mail_server }, body),
        )
    if (body.status === PUBLISHED)
      await publishInTurn({ db, heavyWork }, { ...owned, signal: signalOf(request) }, save)
    else await save()
    if (body.slug) forgetSlug(body.slug)
    if (body.status !== undefined || ACCESS_FIELDS.some((name) => body[name] !== undefined))
      await onChange(id)
    if (body.confirms_email !== undefined)
      audit('mails_changed', { ...by(creator), object_id: id, detail: 'confirmation' })
    if (body.status !== undefined) {
      const event = body.status === PUBLISHED ? 'quiz_published' : 'quiz_withdrawn'
      audit(event, { ...by(creator), object_id: id })
    }
    return loadOne(db, owned)
  },

  remove: async ({ id, permanently }, creator, request) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    await (permanently ? trash.deleteForEver : trash.put)(owned, signalOf(request))
    audit(permanently ? 'quiz_deleted' : 'quiz_trashed', { ...by(creator), object_id: id })
    await onChange(id)
    return undefined
  },

  duplicate: async ({ id }, creator) => {
    const creator_id = creator.id
    const duplicated = db.transaction().setIsolationLevel('repeatable read')
    return duplicated.execute(async (change) => {
      const original = await loadDraft(change, { quiz_id: id, creator_id })
      const copy = duplicateDraft(original, randomUUIDv7)
      const quiz_id = await storeNewQuiz(change, { creator_id, draft: copy, has_mail_server })
      const { folder_id } = original.quiz
      await putInFolder(change, { quiz_id, creator_id, folder_id })
      await copyAutomations(change, { original, copy, creator_id })
      await copyMappings(change, { original, copy, creator_id })
      return loadOne(change, { quiz_id, creator_id })
    })
  },

  importText: ({ body: { text } }, creator, request) => {
    const creator_id = creator.id
    const size = text.length
    const job = { kind: 'import', owner: creator_id, size, signal: signalOf(request) } as const
    return heavyWork.run(job, async (signal) => {
      const input = { text, time_zone: await findTimeZone(db, creator_id) }
      const parsed = await heavyWork.runInThread({ ...job, signal }, 'parse_text', input)
      const { quiz_id, slug } = await db
        .transaction()
        .execute((change) => importText(change, { creator_id, text, parsed, has_mail_server }))
      if (slug !== null) forgetSlug(slug)
      return loadOne(db, { quiz_id, creator_id })
    })
  },

  text: async ({ id }, creator) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    const [draft, time_zone] = await Promise.all([
      readInOneSnapshot(db, (read) => loadDraft(read, owned)),
      findTimeZone(db, creator.id),
    ])
    return new Reply(200, printText(draft, time_zone), {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': attachment(fileName(['Quizaine', draft.quiz.name], 'txt', time_zone)),
    })
  },

  publish: async ({ id }, creator, request) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    await publishInTurn({ db, heavyWork }, { ...owned, signal: signalOf(request) }, () =>
      db
        .transaction()
        .execute((change) => publishQuiz(change, { ...owned, version_quota, freeze })),
    )
    audit('quiz_published', { ...by(creator), object_id: id })
    await onChange(id)
    return loadOne(db, owned)
  },

  checkSlug: async ({ id, slug }, creator) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    const { quiz } = await loadQuiz(db, owned)
    if (slug !== undefined) await checkSlug(db, owned, slug)
    return { slug: slug ?? quiz.slug }
  },

  hasChanges: async ({ id }, creator) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    return readInOneSnapshot(db, (read) => hasUnpublishedChanges(read, owned))
  },

  mode: async ({ id }, creator) => {
    const { quiz_mode } = await loadQuiz(db, { quiz_id: id, creator_id: creator.id })
    return { mode: quiz_mode }
  },

  resetMode: async ({ id }, creator) => {
    const owned = { quiz_id: id, creator_id: creator.id }
    await db.transaction().execute((change) => editDraft(change, owned, resetMode))
    return { mode: null }
  },
})

const by = ({ id, session_id }: { id: string; session_id: string | undefined }) => ({
  actor_id: id,
  session_id,
})

const loadOne = async (db: Db, owned: { quiz_id: string; creator_id: string }) => {
  const { quiz } = await loadQuiz(db, owned)
  return { quiz }
}
