import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#server/testing/network/proxies/free-port.ts'

const PROGRAM = '/usr/sbin/nginx'
const START_MS = 10_000
const TEMPORARY_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** Running nginx. */
export type Nginx = {
  /** URL of each group of servers, in the order of the groups. */
  origins: string[]
  pid: number
  stop: () => Promise<void>
}

/** Configuration that sends a failed submission again to the next server. A submission that arrives twice counts once. */
const RESEND_SUBMISSIONS = `
    location ~ ^/api/v1/quizzes/[^/]+/submit$ {
      proxy_next_upstream error timeout non_idempotent;
      PASS
    }`

const PASS = (rank: number): string => `proxy_pass http://group_${rank};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_connect_timeout 2s;
      error_page 502 504 = @away;`

type Group = {
  servers: readonly string[]
  rank: number
  port: number
  resends_submissions: boolean
}

/**
 * Returns the configuration of a group, similar to production: round robin over persistent connections. If a connection
 * fails, nginx tries the next server. An interrupted request is answered 503 with Retry-After.
 */
const groupOf = ({ servers, rank, port, resends_submissions }: Group): string => `
  upstream group_${rank} {
    ${servers.map((server) => `server ${new URL(server).host} fail_timeout=1s;`).join('\n    ')}
    keepalive 128;
    keepalive_requests 1000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    keepalive_requests 1000000;
    location / {
      ${PASS(rank)}
    }
    ${resends_submissions ? RESEND_SUBMISSIONS.replace('PASS', () => PASS(rank)) : ''}
    location @away {
      default_type application/json;
      add_header Retry-After 1 always;
      return 503 '{"error":"Le service est momentanément indisponible, réessayez dans un instant","code":"unavailable"}';
    }
  }`

const configOf = (folder: string, groups: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log crit;
events { worker_connections 8192; }
http {
  access_log off;
  ${TEMPORARY_FOLDERS.map((name) => `${name}_temp_path ${folder}/temporary/${name};`).join('\n  ')}
  ${groups}
}
`

/** Starts nginx in front of each group of servers, with a temporary folder. */
export const startNginx = async (
  groups: readonly (readonly string[])[],
  resends_submissions = false,
): Promise<Nginx> => {
  if (!existsSync(PROGRAM)) throw new Error('nginx is missing: apt-get install nginx-light')
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-nginx-'))
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'temporary'))
  const ports = await Promise.all(groups.map(() => freePort()))
  const group_configurations = groups.map((servers, rank) =>
    groupOf({ servers, rank, port: ports[rank] ?? 0, resends_submissions }),
  )
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configOf(folder, group_configurations.join('\n')))
  const server = spawn(PROGRAM, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(server, 'exit')
  const until = performance.now() + START_MS
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) server.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  while (!(await accepts(ports[0] ?? 0))) {
    if (server.exitCode !== null || performance.now() > until) {
      await stop()
      throw new Error('nginx did not start')
    }
    await pause(20)
  }
  return { origins: ports.map((port) => `http://127.0.0.1:${port}`), pid: server.pid ?? 0, stop }
}

const accepts = async (port: number): Promise<boolean> => {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
