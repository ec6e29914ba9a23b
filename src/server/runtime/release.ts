import { readFileSync } from 'node:fs'

const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/** Version of the running product. */
export const VERSION = version

/** Name and version of the running product, such as `quizaine@1.0.0`. */
export const RELEASE = `quizaine@${version}`
