import { startTestServer } from './test-server.ts'

/** One database server for a whole run; its address reaches every test file through the environment. */
let stop: (() => Promise<void>) | undefined

export const globalSetup = async (): Promise<void> => {
  const started = await startTestServer()
  stop = started.stop
  process.env.QUIZAINE_TEST_SERVER = JSON.stringify(started.server)
}

export const globalTeardown = async (): Promise<void> => {
  await stop?.()
}
