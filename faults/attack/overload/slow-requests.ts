import { connect, type Socket } from 'node:net'

/** Request whose body arrives slowly. */
export type SlowRequest = {
  path: string
  headers: string[]
  /** Bytes that are sent each second. */
  bytes_per_s: number
  /** Announced length of the body. */
  length: number
}

/** Opens a request whose body never ends in time. The caller destroys the socket. */
export const openSlowRequest = (
  origin: string,
  { path, headers, bytes_per_s, length }: SlowRequest,
): Socket => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) }, () => {
    const head = [`POST ${path} HTTP/1.1`, 'host: quiz', `content-length: ${length}`, ...headers]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
  })
  const timer = setInterval(() => socket.destroyed || socket.write(' '.repeat(bytes_per_s)), 1_000)
  socket.on('error', () => undefined)
  socket.resume()
  socket.once('close', () => clearInterval(timer))
  return socket
}
