import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/** A program that builds images. It is usable if `probe` succeeds: the Docker program may be installed without its daemon. */
type Engine = {
  program: string
  probe: string[]
  build: (tag: string) => string[]
  save: (tag: string, file: string) => string[]
}

const ENGINES: Engine[] = [
  {
    program: 'podman',
    probe: ['info'],
    build: (tag) => ['build', '--tag', tag, '.'],
    save: (tag, file) => ['save', '--format', 'docker-archive', '--output', file, tag],
  },
  {
    program: 'buildah',
    probe: ['info'],
    build: (tag) => ['bud', '--tag', tag, '.'],
    save: (tag, file) => ['push', tag, `docker-archive:${file}:${tag}`],
  },
  {
    program: 'docker',
    probe: ['info'],
    build: (tag) => ['build', '--tag', tag, '.'],
    save: (tag, file) => ['save', '--output', file, tag],
  },
]

/** Milliseconds after which an engine that does not answer counts as absent. */
const PROBE_TIMEOUT_MS = 20_000

/**
 * Builds the image of the sources in an archive and writes it to a file that `docker load` and `podman load` read. Returns
 * false if no engine runs on this machine.
 */
export const buildImage = ({
  archive,
  tag,
  file,
}: {
  archive: string
  tag: string
  file: string
}): boolean => {
  const engine = ENGINES.find(
    ({ program, probe }) =>
      spawnSync(program, probe, { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS }).status === 0,
  )
  if (!engine) return false
  const context = mkdtempSync(join(tmpdir(), 'quizaine-context-'))
  try {
    runProgram('tar', ['-xzf', archive, '--strip-components=1'], { cwd: context })
    runProgram(engine.program, engine.build(tag), { cwd: context })
    runProgram(engine.program, engine.save(tag, file), { cwd: context })
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
  return true
}
