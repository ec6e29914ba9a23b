import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { join } from 'node:path'

/** Time between the end of a Quizaine and the stop of its abandoned server, unless another Quizaine replaces it. */
const ORPHAN_GRACE_S = 30
/** Time that an abandoned server has to stop cleanly before it is told to stop at once. */
const CLEAN_STOP_S = 20

/**
 * Shell script that waits for the end of its standard input, then stops one PostgreSQL server. A line of input, or
 * the end of that server, ends the script. The lock file must still have the server's number, folder and starting
 * time, because process numbers are reused.
 */
const SCRIPT = `
pid=$1 file=$2 seen=
read -r word && exit
is_ours() {
  kill -0 "$pid" || return 1
  now=$(head -n 3 "$file")
  [ -n "$seen" ] || case $now in "$pid
"*) seen=$now ;; esac
  [ "$now" = "$seen" ] || [ -z "$seen" ]
}
wait_for_end() {
  left=$1
  while [ "$left" -gt 0 ]; do
    is_ours || exit
    sleep 1
    left=$((left - 1))
  done
}
wait_for_end "$3"
is_ours && [ -n "$seen" ] || exit
kill -INT "$pid"
wait_for_end "$4"
is_ours || exit
kill -QUIT "$pid"
kill -CONT "$pid"
`

/**
 * Starts a shell that stops the PostgreSQL server `pid` about 30 s after this process has ended in any way, SIGKILL
 * included. A Quizaine that starts meanwhile replaces the server. Returns a function that dismisses the watcher.
 */
export const watchOrphan = (pid: number, cluster: string): (() => void) => {
  const limits = [String(ORPHAN_GRACE_S), String(CLEAN_STOP_S)]
  const watcher = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'quizaine-watcher', String(pid), join(cluster, 'postmaster.pid'), ...limits],
    {
      cwd: '/',
      // The watcher gets its own session, so that a Ctrl-C reaches it only through this process.
      detached: true,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  watcher.on('error', () => undefined)
  // Without a free file descriptor there is neither a process nor a pipe.
  if (watcher.pid === undefined) return () => undefined
  watcher.stdin.on('error', () => undefined)
  watcher.unref()
  // The pipe must not keep this process alive.
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  return () => watcher.stdin.end('stopped\n')
}
