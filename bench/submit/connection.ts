import { once } from 'node:events'
import { connect } from 'node:net'

const END_OF_HEAD = '\r\n\r\n'

/** Persistent HTTP connection. */
export type Connection = {
  /** Sends one request and returns the status when the response is complete. */
  send: (request: Buffer) => Promise<number>
  close: () => void
}

/** Opens a persistent HTTP connection with a minimal client, because client and server share the processors. */
export const openConnection = async (origin: string): Promise<Connection> => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let settle: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  const fail = (error: Error) => settle?.reject(error)
  socket.setEncoding('latin1')
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The server closed a connection')))
  socket.on('data', (text: string) => {
    received += text
    const end = received.indexOf(END_OF_HEAD)
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < end + END_OF_HEAD.length + length) return
    const status = Number(received.slice(9, 12))
    received = ''
    settle?.resolve(status)
  })
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      }),
    close: () => {
      settle = undefined
      socket.destroy()
    },
  }
}
