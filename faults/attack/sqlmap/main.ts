/**
 * Runs sqlmap on every parameter of every call of a separate local server: `npm run attack:sql -- [pattern of names]
 * --level 2 --technique BEUST`. sqlmap must be installed. The last line counts the calls, the fully tested calls and the
 * findings (docs/security-tools.md).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale, startServer } from '../../../bench/server.ts'
import { listTargets, type Target } from './targets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Level of sqlmap: number and kinds of payloads per parameter. */
    level: { type: 'string', default: '2' },
    technique: { type: 'string', default: 'BEUST' },
    /** Maximum seconds per call. */
    seconds: { type: 'string', default: '240' },
    /** Calls that are attacked at once. */
    concurrency: { type: 'string', default: '4' },
  },
})
const selected = new RegExp(positionals[0] ?? '')
const OPTIONS = ['--batch', '--dbms=PostgreSQL', '--risk=1', `--level=${values.level}`]
  .concat(`--technique=${values.technique}`, '--timeout=10', '--retries=1', '--ignore-stdin')
  .concat('--ignore-code=400,401,403,404,405,409,410,413,415,422', '--flush-session')
  .concat('--disable-coloring', '--keep-alive')

const folder = mkdtempSync(join(tmpdir(), 'quizaine-attack-'))

const FORM = 'x-www-form-urlencoded'

/** Returns the call as an HTTP request, in which sqlmap tests each value of a JSON body. */
const formatRequest = (target: Target, origin: string): string => {
  const { method, url, access_token, form } = target
  // An empty object, because sqlmap sends a form if there is no body, and every call refuses forms.
  const body = target.body ?? (method === 'GET' ? undefined : {})
  const head = [
    `${method} ${url} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Authorization: Bearer ${access_token}`,
    'Accept: */*',
    ...(body || form ? [`Content-Type: application/${form ? FORM : 'json'}`] : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${form ?? (body ? JSON.stringify(body) : '')}`
}

type SqlmapResult = {
  isFullyTested: boolean
  injectable: string[]
  codes: string
  nb_parameters: number
}

const runSqlmap = async (target: Target, origin: string): Promise<SqlmapResult> => {
  // Each call has its own folder, because sqlmap stores one session per host.
  const call_folder = mkdtempSync(join(folder, 'call-'))
  const file = join(call_folder, 'request.txt')
  writeFileSync(file, formatRequest(target, origin))
  const child = spawn('sqlmap', ['-r', file, `--output-dir=${call_folder}`, ...OPTIONS], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text
    })
  const timer = setTimeout(() => child.kill('SIGINT'), Number(values.seconds) * 1_000)
  await once(child, 'close')
  clearTimeout(timer)
  const tried = new Set([...output.matchAll(/testing if (.+) is dynamic/g)].map(([, name]) => name))
  return {
    isFullyTested: /all tested parameters do not appear|identified the following/.test(output),
    injectable: [...output.matchAll(/^Parameter: .+$/gm)].map(([line]) => line),
    codes: /HTTP error codes detected during run:\s*\n?(.+)/.exec(output)?.[1] ?? '',
    nb_parameters: tried.size,
  }
}

const totals = { calls: 0, tested: 0, parameters: 0, nb_injectable: 0, nb_failures: 0 }

const reportResult = (
  target: Target,
  { isFullyTested, injectable, codes, nb_parameters }: SqlmapResult,
): void => {
  const failed = codes.match(/\b5(?!03)\d\d \([^)]*\) - \d+ times/g) ?? []
  totals.calls++
  totals.tested += isFullyTested ? 1 : 0
  totals.parameters += nb_parameters
  totals.nb_injectable += injectable.length
  totals.nb_failures += failed.length
  const verdict = isFullyTested ? 'fully tested' : 'NOT FULLY TESTED'
  console.log(`${target.name}: ${nb_parameters} parameters, ${verdict}; ${codes}`)
  for (const line of [...injectable, ...failed]) console.log(`    FOUND ${line}`)
}

buildIfStale()
const server = await startServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
try {
  const targets = listTargets(server.origin)
  const testTargets = async (): Promise<void> => {
    for await (const target of targets)
      if (selected.test(target.name)) reportResult(target, await runSqlmap(target, server.origin))
  }
  await Promise.all(Array.from({ length: Number(values.concurrency) }, testTargets))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `${totals.parameters} parameters of ${totals.calls} calls, ${totals.tested} fully tested: ${totals.nb_injectable} injectable, ${totals.nb_failures} answered 5xx`,
)
process.exit(totals.calls > 0 && totals.nb_injectable + totals.nb_failures === 0 ? 0 : 1)
