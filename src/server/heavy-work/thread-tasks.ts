/** Functions that run in threads. Each is loaded by the thread that runs it first. */
export const THREAD_TASKS = {
  freeze_draft: async () => (await import('#server/version-tasks/freeze-draft.ts')).freezeDraftTask,
  parse_texts: async () => (await import('#server/version-tasks/parse-texts.ts')).parseTextsTask,
  render_page: async () => (await import('#server/version-tasks/render-page.ts')).renderPageTask,
  replay_participants: async () =>
    (await import('#server/version-tasks/replay-participants.ts')).replayParticipants,
  parse_text: async () => {
    const { parseText } = await import('#domain/text-format/parse-text.ts')
    return ({ text, time_zone }: { text: string; time_zone: string }) => parseText(text, time_zone)
  },
  read_quiz_file: async () => {
    const { readQuizFile } = await import('#server/quiz-files/parsing/read-quiz-file.ts')
    // A thread receives plain bytes in place of a Buffer.
    return ({ buffer, byteOffset, byteLength }: Uint8Array) =>
      readQuizFile(Buffer.from(buffer, byteOffset, byteLength))
  },
  write_quiz_head: async () =>
    (await import('#server/version-tasks/write-quiz-head.ts')).writeQuizHead,
  write_pdf: async () => (await import('#server/reports/pdf/pdf-task.ts')).writePdfTask,
  count_pages: async () => (await import('#server/reports/pdf/pdf-task.ts')).countPagesTask,
  find_undrawable: async () => (await import('#server/reports/pdf/pdf-task.ts')).findUndrawableTask,
}

/** Functions that run in threads, by name. */
export type ThreadTasks = {
  [Name in keyof typeof THREAD_TASKS]: Awaited<ReturnType<(typeof THREAD_TASKS)[Name]>>
}

/** Input of a function that runs in a thread; structured cloning copies it, except bytes of their own memory, which move. */
export type TaskInput<Name extends keyof ThreadTasks> = Parameters<ThreadTasks[Name]>[0]

/** Output of a function that runs in a thread. */
export type TaskOutput<Name extends keyof ThreadTasks> = Awaited<ReturnType<ThreadTasks[Name]>>
