import { createServer, type Socket } from 'node:net'
import { type CaughtMail, readMail } from './read-mail.ts'

type Waiter = { to: string; resolve: (mail: CaughtMail) => void }

/** Fault that the mail server shows `times` times, 1 by default. */
type MailFault = {
  /**
   * Refusal at an SMTP step, or a broken connection: 'away' at the start, 'half' within the content, 'lost' after the
   * mail was stored. 'held' answers only after `release`.
   */
  how:
    | { status: number; at: 'MAIL' | 'RCPT' | 'DATA' | 'content' }
    | 'away'
    | 'lost'
    | 'half'
    | 'held'
  /** Recipient of affected mails; every recipient by default. Ignored before the recipient is known. */
  to?: string
  times?: number
}

/** Local mail server that stores mails for tests. */
export type MailCatcher = {
  /** Value of SMTP_URL. */
  url: string
  /** All received mails, oldest first. */
  mails: CaughtMail[]
  /** Returns the next mail to an address that no earlier call returned. Waits until such a mail arrives. */
  next: (to: string) => Promise<CaughtMail>
  /** Refuses a number of mails temporarily (451). */
  refuse: (count: number) => void
  /** Adds a fault. */
  fail: (fault: MailFault) => void
  /** Removes all faults and answers held mails. */
  heal: () => void
  /** Answers held mails. */
  release: () => void
  close: () => Promise<void>
}

/** Starts a mail server with the SMTP commands of our client, without TLS. Commands out of order are refused. */
export const startMailCatcher = async (): Promise<MailCatcher> => {
  const mails: CaughtMail[] = []
  const unread: CaughtMail[] = []
  const sockets = new Set<Socket>()
  let waiters: Waiter[] = []
  let faults: (MailFault & { times: number })[] = []
  let held: (() => void)[] = []

  const keep = (mail: CaughtMail): void => {
    mails.push(mail)
    const waiter = waiters.find(({ to }) => to === mail.to)
    if (!waiter) return void unread.push(mail)
    waiters = waiters.filter((other) => other !== waiter)
    waiter.resolve(mail)
  }
  /** Uses up the first matching fault and returns it. */
  const take = (isMeant: (fault: MailFault) => boolean): MailFault | undefined => {
    const fault = faults.find((one) => one.times > 0 && isMeant(one))
    if (fault) fault.times -= 1
    return fault
  }
  const release = (): void => {
    for (const answer of held) answer()
    held = []
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Errors of interrupted connections are ignored.
    socket.on('error', () => socket.destroy())
    if (take(({ how }) => how === 'away')) return void socket.destroy()
    serveSmtpClient(socket, { keep, take, hold: (answer) => held.push(answer) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  const fail = (fault: MailFault): void => void faults.push({ times: 1, ...fault })

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    next: (to) => {
      const index = unread.findIndex((mail) => mail.to === to)
      const [mail] = index === -1 ? [] : unread.splice(index, 1)
      if (mail) return Promise.resolve(mail)
      return new Promise((resolve) => waiters.push({ to, resolve }))
    },
    refuse: (times) => fail({ how: { status: 451, at: 'MAIL' }, times }),
    fail,
    heal: () => {
      faults = []
      release()
    },
    release,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Callbacks of an SMTP connection to the mail catcher. */
type SmtpContext = {
  keep: (mail: CaughtMail) => void
  take: (isMeant: (fault: MailFault) => boolean) => MailFault | undefined
  hold: (answer: () => void) => void
}
type Step = 'MAIL' | 'RCPT' | 'DATA' | 'content'

/** Answers the SMTP commands of one client. */
const serveSmtpClient = (socket: Socket, { keep, take, hold }: SmtpContext): void => {
  let pending = ''
  let message: string[] | undefined
  let to = ''
  /** Accepted part of the envelope. */
  let has: 'nothing' | 'MAIL' | 'RCPT' = 'nothing'
  const say = (line: string) => socket.write(`${line}\r\n`)
  const isToIt = (fault: MailFault): boolean => fault.to === undefined || fault.to === to
  const refusalAt = (step: Step): number | undefined => {
    const fault = take(
      (one) =>
        typeof one.how === 'object' && one.how.at === step && (step === 'MAIL' || isToIt(one)),
    )
    return typeof fault?.how === 'object' ? fault.how.status : undefined
  }

  const handleMessage = (lines: string[]): void => {
    message = undefined
    has = 'nothing'
    const status = refusalAt('content')
    if (status !== undefined) return void say(`${status} not this one`)
    keep(readMail(to, lines.join('\r\n')))
    if (take((fault) => fault.how === 'lost' && isToIt(fault))) return void socket.destroy()
    if (take((fault) => fault.how === 'held' && isToIt(fault)))
      return void hold(() => say('250 kept'))
    say('250 kept')
  }
  const handleEnvelope = (verb: string, line: string): void => {
    const isInOrder =
      (verb === 'MAIL' && has === 'nothing') ||
      (verb === 'RCPT' && has === 'MAIL') ||
      (verb === 'DATA' && has === 'RCPT')
    if (!isInOrder) return void say('503 bad sequence of commands')
    if (verb === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? ''
    const status = refusalAt(verb as Step)
    if (status !== undefined) {
      has = 'nothing'
      return void say(`${status} refused`)
    }
    if (verb === 'DATA') message = []
    else has = verb as 'MAIL' | 'RCPT'
    say(message ? '354 go on' : '250 ok')
  }
  const handleLine = (line: string): void => {
    if (message) {
      if (line === '.') return void handleMessage(message)
      if (take((fault) => fault.how === 'half' && isToIt(fault))) return void socket.destroy()
      return void message.push(line.replace(/^\./, ''))
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'QUIT') return void socket.end('221 bye\r\n')
    if (verb === 'EHLO' || verb === 'HELO') return void say('250 catcher')
    if (verb === 'RSET' || verb === 'NOOP') {
      has = 'nothing'
      return void say('250 ok')
    }
    if (verb === 'MAIL' || verb === 'RCPT' || verb === 'DATA')
      return void handleEnvelope(verb, line)
    say('502 not implemented')
  }
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    const lines = (pending + String(text)).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) if (!socket.destroyed) handleLine(line)
  })
  say('220 catcher')
}
