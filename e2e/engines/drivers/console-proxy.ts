import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

const SCRIPT_PATH = '/browser-console.js'
const REPORT_PATH = '/browser-console'

/** Reports errors of a page to the proxy. Runs before every script of the page. */
const SCRIPT = `
const report = (text) => navigator.sendBeacon('${REPORT_PATH}', String(text))
addEventListener('error', ({ error, message }) => report(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => report(reason))
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  report(violatedDirective + ' ' + blockedURI))
const { error } = console
console.error = (...values) => {
  report(values.join(' '))
  error(...values)
}
`

/**
 * Starts a server that forwards everything to `origin` and adds a script to each page, because WebKitWebDriver does
 * not report the console. Allows every script of the proxy's origin.
 */
export const proxyWithConsole = async (origin: string) => {
  const errors: string[] = []
  const { hostname, port } = new URL(origin)
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === SCRIPT_PATH) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT)
    } else if (incoming.url === REPORT_PATH) {
      void readText(incoming).then((text) => errors.push(text))
      outgoing.writeHead(204).end()
    } else {
      const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
      const options = { hostname, port, method: incoming.method, path: incoming.url, headers }
      const forwarded = request(options, (answer) => void sendBack(answer, outgoing))
      forwarded.on('error', () => outgoing.destroy())
      // Ends answers that are still open when the browser leaves.
      outgoing.on('close', () => forwarded.destroy())
      incoming.pipe(forwarded)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    errors,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const readText = async (stream: IncomingMessage): Promise<string> =>
  Buffer.concat(await stream.toArray()).toString()

/** Sends an answer of the server to the browser. A page gets the script as its first. */
const sendBack = async (answer: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const { statusCode = 502, headers } = answer
  if (!headers['content-type']?.startsWith('text/html')) {
    answer.pipe(outgoing.writeHead(statusCode, headers))
    return
  }
  const html = (await readText(answer)).replace(
    /<head[^>]*>/,
    `$&<script src="${SCRIPT_PATH}"></script>`,
  )
  const policy = headers['content-security-policy']
  const { 'content-length': _, 'transfer-encoding': __, ...kept } = headers
  outgoing
    .writeHead(statusCode, {
      ...kept,
      ...(policy && { 'content-security-policy': allowOwnScript(String(policy)) }),
    })
    .end(html)
}

const allowOwnScript = (policy: string): string =>
  policy.replace(/script-src( 'none'| 'self')?/, "script-src 'self'")
