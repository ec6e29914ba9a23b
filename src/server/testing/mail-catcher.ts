import { createServer, type Socket } from 'node:net'
import { type CaughtMail, readMail } from './read-mail.ts'

type Waiter = { to: string; resolve: (mail: CaughtMail) => void }

/** A mail server on this machine that keeps what it is given, for tests to read. */
export type MailCatcher = {
  /** For SMTP_URL. */
  url: string
  /** Every mail so far, oldest first. */
  mails: CaughtMail[]
  /** The next mail to an address that was not taken yet; waits for it. */
  next: (to: string) => Promise<CaughtMail>
  /** Refuses so many mails for now (451), as an overloaded server does. */
  refuse: (count: number) => void
  close: () => Promise<void>
}

/** Starts a catcher; it speaks just the SMTP that a client needs, without TLS. */
export const catchMails = async (): Promise<MailCatcher> => {
  const mails: CaughtMail[] = []
  const untaken: CaughtMail[] = []
  const sockets = new Set<Socket>()
  let waiters: Waiter[] = []
  let refusals = 0

  const keep = (mail: CaughtMail): void => {
    mails.push(mail)
    const waiter = waiters.find(({ to }) => to === mail.to)
    if (!waiter) return void untaken.push(mail)
    waiters = waiters.filter((other) => other !== waiter)
    waiter.resolve(mail)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A client that leaves in the middle is none of ours.
    socket.on('error', () => socket.destroy())
    talk(socket, keep, () => refusals > 0 && refusals-- > 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    next: (to) => {
      const index = untaken.findIndex((mail) => mail.to === to)
      const [mail] = index === -1 ? [] : untaken.splice(index, 1)
      if (mail) return Promise.resolve(mail)
      return new Promise((resolve) => waiters.push({ to, resolve }))
    },
    refuse: (count) => {
      refusals = count
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const talk = (socket: Socket, keep: (mail: CaughtMail) => void, isRefused: () => boolean): void => {
  let pending = ''
  let message: string[] | undefined
  let to = ''
  const say = (line: string) => socket.write(`${line}\r\n`)

  const hear = (line: string): void => {
    if (message) {
      if (line !== '.') return void message.push(line.replace(/^\./, ''))
      keep(readMail(to, message.join('\r\n')))
      message = undefined
      return void say('250 kept')
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'QUIT') return void socket.end('221 bye\r\n')
    if (verb === 'EHLO' || verb === 'HELO') return void say('250 catcher')
    if (verb === 'MAIL' && isRefused()) return void say('451 try again later')
    if (verb === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? ''
    if (verb === 'DATA') message = []
    say(message ? '354 go on' : '250 ok')
  }
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    const lines = (pending + String(text)).split('\r\n')
    pending = lines.pop() ?? ''
    lines.forEach(hear)
  })
  say('220 catcher')
}
