import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { domainToASCII } from 'node:url'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { type CaughtMail, readMail } from './read-mail.ts'

type Step = 'MAIL' | 'RCPT' | 'content'
type Waiter = { to: string; resolve: (mail: CaughtMail) => void }

/** Fault that the mail server shows `times` times, 1 by default. */
type MailFault = {
  /**
   * Refusal at an SMTP step, or a broken connection: 'away' at the start, 'half' within the content, 'lost' after the
   * mail was stored. 'held' answers only after `release`.
   */
  how: { status: number; at: Step } | 'away' | 'lost' | 'half' | 'held'
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
  /** Returns the mails to an address, oldest first. The time does not grow with the number of all mails. */
  mailsTo: (address: string) => CaughtMail[]
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

/**
 * Settings of a server without TLS, accounts and extensions, so that the client under test depends on none of these.
 */
const BARE_SERVER: SMTPServerOptions = {
  disabledCommands: ['AUTH', 'STARTTLS'],
  hidePIPELINING: true,
  hide8BITMIME: true,
  hideSMTPUTF8: true,
  disableReverseLookup: true,
  logger: false,
}

/**
 * Returns an address as the client sent it. The server library decodes international domains, which clients send in
 * ASCII because the server does not offer SMTPUTF8.
 */
const sentAddress = (address: string): string => {
  const [name, domain = ''] = address.split('@')
  return `${name}@${domainToASCII(domain)}`
}

/** Starts a mail server that refuses commands out of order. */
export const startMailCatcher = async (): Promise<MailCatcher> => {
  const mails: CaughtMail[] = []
  const mailsByAddress = new Map<string, CaughtMail[]>()
  const unread: CaughtMail[] = []
  const sockets = new Map<number | undefined, Socket>()
  let waiters: Waiter[] = []
  let faults: (MailFault & { times: number })[] = []
  let held: (() => void)[] = []

  const keep = (mail: CaughtMail): void => {
    mails.push(mail)
    const earlier = mailsByAddress.get(mail.to)
    if (earlier) earlier.push(mail)
    else mailsByAddress.set(mail.to, [mail])
    const waiter = waiters.find(({ to }) => to === mail.to)
    if (!waiter) return void unread.push(mail)
    waiters = waiters.filter((other) => other !== waiter)
    waiter.resolve(mail)
  }
  /** Uses up the first fault of a kind that is meant for a recipient, and returns the fault. */
  const take = (
    isMeant: (how: MailFault['how']) => boolean,
    to?: string,
  ): MailFault | undefined => {
    const fault = faults.find(
      (candidate) =>
        candidate.times > 0 &&
        isMeant(candidate.how) &&
        (to === undefined || [undefined, to].includes(candidate.to)),
    )
    if (fault) fault.times -= 1
    return fault
  }
  /** Returns the refusal of the next fault at a step as an error of the server; null to accept. */
  const refusalAt = (step: Step, to?: string): Error | null => {
    const { how } = take((mode) => typeof mode === 'object' && mode.at === step, to) ?? {}
    return typeof how === 'object'
      ? Object.assign(new Error('refused'), { responseCode: how.status })
      : null
  }
  const breakConnection = ({ remotePort }: SMTPServerSession): void =>
    void sockets.get(remotePort)?.destroy()
  const release = (): void => {
    for (const answer of held) answer()
    held = []
  }

  const server = new SMTPServer({
    ...BARE_SERVER,
    onMailFrom: (_address, _session, answer) => answer(refusalAt('MAIL')),
    onRcptTo: ({ address }, _session, answer) => answer(refusalAt('RCPT', sentAddress(address))),
    onData: async (content, session, answer) => {
      const to = sentAddress(session.envelope.rcptTo.at(-1)?.address ?? '')
      if (take((how) => how === 'half', to))
        return void content.once('data', () => breakConnection(session))
      const raw = await buffer(content).catch(() => undefined)
      // The client has broken the connection.
      if (!raw) return
      const refusal = refusalAt('content', to)
      if (refusal) return answer(refusal)
      keep(await readMail(to, raw))
      if (take((how) => how === 'lost', to)) return breakConnection(session)
      if (take((how) => how === 'held', to)) return void held.push(() => answer(null))
      answer(null)
    },
  })
  // Errors of interrupted connections are ignored.
  server.on('error', () => {})
  server.server.prependListener('connection', (socket) => {
    const { remotePort } = socket
    sockets.set(remotePort, socket)
    socket.on('close', () => sockets.delete(remotePort))
    if (take((how) => how === 'away')) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  const fail = (fault: MailFault): void => void faults.push({ times: 1, ...fault })

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    mailsTo: (address) => mailsByAddress.get(address) ?? [],
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
      for (const socket of sockets.values()) socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}
