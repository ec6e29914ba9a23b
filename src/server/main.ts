import { serveUntilStopped } from './serve.ts'

await serveUntilStopped(process.env)
