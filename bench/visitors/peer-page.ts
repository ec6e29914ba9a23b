import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import type { Client } from '#contract/client/client.ts'

const PEERS = join(import.meta.dirname, 'peers')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Installs the compared software in a folder outside the product and returns its path. */
export const installPeers = (): string => {
  if (!existsSync(join(PEERS, 'node_modules'))) {
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: PEERS,
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error('The peers could not be installed')
  }
  return PEERS
}

/** Converts the published quiz to a SurveyJS definition. */
const surveyOf = async (client: Client, id: string) => {
  const { snapshot } = await client.publicQuiz.snapshot({ id })
  const page_numbers = [...new Set(snapshot.questions.map(({ page_number }) => page_number))]
  return {
    title: snapshot.quiz.name,
    locale: 'fr',
    pages: page_numbers.map((page_number) => ({
      elements: snapshot.questions
        .filter((question) => question.page_number === page_number)
        .map(({ id: name, text, type, answers }) => ({
          name,
          title: text,
          isRequired: true,
          ...(type === 'multiple_choice'
            ? {
                type: 'radiogroup',
                choices: answers.map((answer) => ({ value: answer.id, text: answer.text })),
              }
            : { type: 'text' }),
        })),
    })),
  }
}

/** Builds the quiz with SurveyJS for production and serves it with brotli. */
export const servePeer = async (
  client: Client,
  id: string,
): Promise<{ origin: string; stop: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-peer-'))
  for (const name of ['index.html', 'survey.js']) cpSync(join(PEERS, name), join(folder, name))
  symlinkSync(join(PEERS, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'questions.json'), JSON.stringify(await surveyOf(client, id)))
  await build({ root: folder, configFile: false, logLevel: 'warn', build: { outDir: 'built' } })
  const packed = new Map<string, Buffer>()
  const pack = (path: string): Buffer => {
    const known = packed.get(path)
    if (known) return known
    const bytes = brotliCompressSync(readFileSync(path), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    })
    packed.set(path, bytes)
    return bytes
  }
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : String(request.url)
    const path = join(folder, 'built', name)
    if (!existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    const headers = { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' }
    response.writeHead(200, { ...headers, 'content-encoding': 'br' }).end(pack(path))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}/`,
    stop: () => {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
