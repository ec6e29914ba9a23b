import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from './testing/network/proxies/free-port.ts'

// Runs in test:all, because it runs programs in other processes.

const OPS = join(import.meta.dirname, '../../ops')

/** Stand-in for npm: `install` and `ci` link Node, and `run build` fails for the version « unbuildable ». */
const NPM = `#!/bin/sh
case $1 in
  install)
    mkdir -p "$3/node_modules/.bin" && cp "$0" "$3/node_modules/.bin/npm"
    echo "$6 $7" > "$3/packages" ;;
  ci) case $0 in *quizaine-tools*) ;; *) exit 9 ;; esac
    mkdir -p node_modules/.bin && ln -s "${process.execPath}" node_modules/.bin/node ;;
  run) mkdir dist && ! grep -qx unbuildable version ;;
esac
`

/** Stand-in for the server: answers with its version. The version « broken » is never ready. */
const SERVER = `
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
const version = readFileSync('version', 'utf8').trim()
createServer((request, response) => {
  response.writeHead(version === 'broken' && request.url === '/readyz' ? 503 : 200)
  response.end(version)
}).listen(Number(process.env.PORT), '127.0.0.1')
`

const BACKUP = `
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
copyFileSync(join(process.env.DATA_DIR, 'rows'), process.argv[2])
`

describe('the scripts for a server with systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-vps-'))
  const source = join(folder, 'source')
  const root = join(folder, 'root')
  const [current, releases] = [join(root, 'srv/quizaine'), join(root, 'srv/quizaine-releases')]
  const [environment, backups] = [join(root, 'etc/quizaine/environment'), join(root, 'backups')]
  const unit = join(root, 'etc/systemd/system/quizaine.service')
  const [restart, pid_file] = [join(folder, 'restart'), join(folder, 'pid')]
  let port = 0

  const writeProgram = (file: string, text: string): void => {
    writeFileSync(file, text)
    chmodSync(file, 0o755)
  }

  /** Runs a script of `ops` in the stand-in for the clone, and returns its exit code and output. */
  const run = (name: string, ...options: string[]): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      execFile(
        'sh',
        [
          ...['-c', 'PATH="$0:$PATH" exec "$@"', folder, join(source, 'ops', name)],
          ...['--root', root, '--no-systemd', '--wait', '30', ...options],
        ],
        (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      )
    })

  /** Puts another version into the stand-in for the clone. */
  const pull = (version: string): void => {
    writeFileSync(join(source, 'version'), `${version}\n`)
    writeFileSync(join(source, 'ops/quizaine.service'), `# Unit of ${version}\n`)
  }

  const readVersion = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/version`)).text()

  before(async () => {
    port = await freePort()
    cpSync(OPS, join(source, 'ops'), { recursive: true })
    mkdirSync(join(source, 'src/server'), { recursive: true })
    mkdirSync(join(source, 'scripts'))
    writeFileSync(join(source, '.node-version'), '24.0.1\n')
    writeFileSync(join(source, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(source, 'src/server/main.ts'), SERVER)
    writeFileSync(join(source, 'scripts/backup.ts'), BACKUP)
    writeProgram(join(folder, 'npm'), NPM)
    writeProgram(
      restart,
      `#!/bin/sh
if [ -e ${pid_file} ]; then kill "$(cat ${pid_file})"; fi
cd ${current}
node_modules/.bin/node --env-file=${environment} src/server/main.ts >/dev/null 2>&1 &
echo $! > ${pid_file}
`,
    )
    pull('one')
  })
  after(() => {
    if (existsSync(pid_file)) process.kill(Number(readFileSync(pid_file, 'utf8')))
    rmSync(folder, { recursive: true })
  })

  test('an installation has a built version, its unit and an environment that only its account reads', async () => {
    const { code, output } = await run('install', '--domain', 'quiz.example', '--caddy')
    assert.equal(code, 0, output)
    assert.ok(existsSync(join(current, 'dist')))
    const [tools = ''] = readdirSync(join(root, 'srv/quizaine-tools'))
    const packages = readFileSync(join(root, 'srv/quizaine-tools', tools, 'packages'), 'utf8')
    assert.match(packages, /^node@24\.0\.1 npm@\d+\.\d+\.\d+$/m)
    assert.equal(readFileSync(unit, 'utf8'), '# Unit of one\n')
    const text = readFileSync(environment, 'utf8')
    assert.match(text, /^PUBLIC_URL=https:\/\/quiz\.example$/m)
    assert.match(text, /^TRUST_PROXY=true$/m)
    assert.match(text, /^METRICS_TOKEN=[0-9a-f]{48}$/m)
    assert.match(text, new RegExp(`^DATA_DIR=${root}/var/lib/quizaine$`, 'm'))
    assert.equal(statSync(environment).mode & 0o777, 0o640)
    assert.equal(statSync(backups).mode & 0o777, 0o700)
    assert.match(
      readFileSync(join(root, 'etc/systemd/system/caddy.service.d/quizaine.conf'), 'utf8'),
      /^Environment=DOMAIN=quiz\.example UPSTREAMS=127\.0\.0\.1:3000$/m,
    )
  })

  test('a second installation keeps the environment and the version, and starts the server', async () => {
    const text = `${readFileSync(environment, 'utf8')}PORT=${port}\n`
    writeFileSync(environment, text)
    const version = readlinkSync(current)
    const { code, output } = await run('install', '--restart', restart)
    assert.equal(code, 0, output)
    assert.equal(readFileSync(environment, 'utf8'), text)
    assert.equal(readlinkSync(current), version)
    assert.equal(await readVersion(), 'one')
  })

  test('an upgrade backs up, switches to the new version and keeps the former one', async () => {
    writeFileSync(join(root, 'var/lib/quizaine/rows'), 'rows of one')
    const former = readlinkSync(current)
    pull('two')
    const { code, output } = await run('upgrade', '--restart', restart)
    assert.equal(code, 0, output)
    assert.equal(await readVersion(), 'two')
    const [backup = ''] = readdirSync(backups)
    assert.equal(readFileSync(join(backups, backup), 'utf8'), 'rows of one')
    assert.ok(existsSync(former))
    assert.equal(readFileSync(unit, 'utf8'), '# Unit of two\n')
  })

  test('an upgrade to a version that is not ready goes back to the former folder', async () => {
    const former = readlinkSync(current)
    pull('broken')
    const { code, output } = await run('upgrade', '--restart', restart, '--wait', '3')
    assert.equal(code, 1)
    assert.match(output, /The former version runs again/)
    assert.equal(readlinkSync(current), former)
    assert.equal(await readVersion(), 'two')
    assert.equal(readFileSync(unit, 'utf8'), '# Unit of two\n')
    assert.equal(readdirSync(backups).length, 2)
  })

  test('an upgrade that cannot be built changes nothing, and the next one removes its folder', async () => {
    const [former, before_it] = [readlinkSync(current), readdirSync(backups).length]
    pull('unbuildable')
    assert.notEqual((await run('upgrade', '--restart', restart)).code, 0)
    assert.equal(readlinkSync(current), former)
    assert.equal(readdirSync(backups).length, before_it)
    pull('three')
    const { code, output } = await run('upgrade', '--restart', restart)
    assert.equal(code, 0, output)
    assert.deepEqual(
      readdirSync(releases)
        .map((name) => readFileSync(join(releases, name, 'version'), 'utf8').trim())
        .sort(),
      ['three', 'two'],
    )
  })

  test('an upgrade whose backup fails does not switch', async () => {
    const former = readlinkSync(current)
    rmSync(join(root, 'var/lib/quizaine/rows'))
    pull('four')
    assert.notEqual((await run('upgrade', '--restart', restart)).code, 0)
    assert.equal(readlinkSync(current), former)
    assert.equal(await readVersion(), 'three')
  })

  test('a wrong option prints the options and changes nothing', async () => {
    const { code, output } = await run('upgrade', '--force')
    assert.equal(code, 1)
    assert.match(output, /^ops\/upgrade \[/m)
  })
})
