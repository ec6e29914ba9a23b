import { randomUUIDv7 } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { quizFiles } from '#contract/quiz-files.ts'
import { questionnaireSize } from '#domain/questionnaire/questionnaire-size.ts'
import { draftOfFile, MAX_QUIZ_FILE_BYTES, type QuizFile } from '#domain/quiz-files/quiz-file.ts'
import { checkFile } from '#domain/quiz-files/quiz-file-check.ts'
import { NEW_QUIZ } from '#domain/text-format/build-draft.ts'
import { findTimeZone } from '#server/account/account.store.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { MAX_EVENT_LOOP_SIZE } from '#server/heavy-work/job-limits.ts'
import { unavailable } from '#server/http/edge/errors.ts'
import { type Handlers, Reply, responseOf, signalOf } from '#server/http/edge/mount.ts'
import { mountUploads } from '#server/http/edge/uploads.ts'
import { attachment, fileName } from '#server/http/pages/file-names.ts'
import { storeImages } from '#server/images/creator-images.ts'
import { storeNewQuiz } from '#server/quizzes/create-quiz.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { writeQuizHead } from '#server/version-tasks/write-quiz-head.ts'
import { decodePictures } from './decode-pictures.ts'
import { prepareQuizFile, quizFileParts } from './write-quiz-file.ts'

type Dependencies = {
  /** True if a mail server is configured, without which no address can be confirmed. */
  has_mail_server: boolean
  db: Db
  /** Maximum total size in bytes of the pictures of one creator. */
  quota: number
  heavyWork: Pick<HeavyWork, 'run' | 'runInThread' | 'stream'>
}

/** Maximum total size of uploads in memory: three of the largest files, of which two from one creator. */
const UPLOAD_SUMS = {
  max_bytes: 3 * MAX_QUIZ_FILE_BYTES,
  max_bytes_per_creator: 2 * MAX_QUIZ_FILE_BYTES,
}
const TOO_HEAVY = `Ce fichier est trop lourd : ${MAX_QUIZ_FILE_BYTES / 1_048_576} Mo au plus.`
/** Time reserved for the database after the pictures are decoded. */
const TIME_TO_STORE_MS = 10_000

/**
 * State of a call, which a retry keeps: its deadline in ms since 1970, and the parsed file, because the bytes of the body
 * have moved to the thread that parsed them.
 */
type Import = { ends_at: number; file?: QuizFile }
const imports = new WeakMap<FastifyRequest, Import>()

/** Returns the state of a call, and a function that throws a 503 if too little time is left to store the quiz. */
const importOf = (request: FastifyRequest): { imported: Import; refuseTooLate: () => void } => {
  const imported = imports.get(request) ?? { ends_at: Date.now() + quizFiles.read.timeout_ms }
  imports.set(request, imported)
  const refuseTooLate = (): void => {
    if (Date.now() + TIME_TO_STORE_MS > imported.ends_at) throw unavailable()
  }
  return { imported, refuseTooLate }
}

const quizFilesHandlers = ({
  db,
  quota,
  heavyWork,
  has_mail_server,
}: Dependencies): Handlers<typeof quizFiles> => ({
  write: async ({ id }, { id: owner }, request) => {
    const { draft, time_zone } = await readInOneSnapshot(db, async (read) => ({
      draft: await loadDraft(read, { quiz_id: id, creator_id: owner }),
      time_zone: await findTimeZone(read, owner),
    }))
    const job = { kind: 'quiz_file', owner, size: questionnaireSize(draft) } as const
    return heavyWork.stream(job, responseOf(request), async (signal) => {
      const head =
        job.size <= MAX_EVENT_LOOP_SIZE
          ? writeQuizHead(draft)
          : await heavyWork.runInThread({ ...job, signal }, 'write_quiz_head', draft)
      const written = await prepareQuizFile(db, head)
      const name = fileName(['Quizaine', draft.quiz.name], 'json', time_zone)
      return new Reply<never>(200, Readable.from(quizFileParts(db, written)), {
        'content-disposition': attachment(name),
      })
    })
  },

  read: ({ body }, { id: creator_id }, request) => {
    const size = body.byteLength
    const job = { kind: 'import', owner: creator_id, size, signal: signalOf(request) } as const
    const { imported, refuseTooLate } = importOf(request)
    return heavyWork.run(job, async (signal) => {
      imported.file ??= await heavyWork.runInThread({ ...job, signal }, 'read_quiz_file', body)
      const { file } = imported
      const shown = checkFile(file)
      const making = { creator_id, heavyWork, quota, shown, signal, refuseTooLate }
      const made = await decodePictures(db, file, making)
      refuseTooLate()
      const image_ids = new Map([...made].map(([name, { id }]) => [name, id]))
      return db.transaction().execute(async (change) => {
        await storeImages(change, { creator_id, quota }, [...made.values()])
        const blank = { ...NEW_QUIZ, id: randomUUIDv7() }
        const draft = draftOfFile(blank, file, { createId: randomUUIDv7, image_ids })
        const quiz_id = await storeNewQuiz(change, { creator_id, draft, has_mail_server })
        const { quiz } = await loadQuiz(change, { quiz_id, creator_id })
        // The transaction is rolled back if the caller has already received an error or has left.
        signal.throwIfAborted()
        return { quiz }
      })
    })
  },
})

/** Mounts the calls that export a quiz as a file and import a file. */
export const registerQuizFiles = (app: FastifyInstance, dependencies: Dependencies): void =>
  mountUploads(app, quizFiles, {
    handlers: quizFilesHandlers(dependencies),
    ...UPLOAD_SUMS,
    too_heavy: TOO_HEAVY,
  })
