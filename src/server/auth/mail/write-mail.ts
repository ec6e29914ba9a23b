import { isSignUpOpen } from '#domain/accounts/sign-up-mode.ts'
import { settingsPath } from '#domain/common/settings-path.ts'
import {
  clearUnusedPassword,
  insertEmailUser,
  newEmailUser,
} from '#server/auth/accounts/email-accounts.store.ts'
import { findSignUpMode } from '#server/auth/accounts/sign-up-mode.store.ts'
import { lockMailRecipient, markMailSent, type User } from '#server/auth/accounts/users.store.ts'
import { makeToken } from '#server/auth/email-links/make-token.ts'
import type { Services } from '#server/auth/services.ts'
import type { OneTimeType } from '#server/db/tables.ts'
import {
  type AccountMailFacts,
  accountLetters,
  type LetterKind,
} from '#server/mails/account-letters.ts'
import {
  enqueueMail,
  type MailDetails,
  type MailJob,
  type NoticeKind,
} from '#server/mails/mail-jobs.store.ts'
import { digestLetter } from '#server/mails/quiz-letters.ts'
import { renderLetter } from '#server/mails/render-letter.ts'
import type { Mail } from '#server/mails/transport.ts'

/** Properties of a kind of link: its letter, stored token type, protocol type, and the sign-in method of its session. */
type LinkProtocol = {
  letter: LetterKind
  token: Exclude<OneTimeType, 'reply_address'>
  type: 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'
  method: string
  /** True if the confirmation of an account by this link deletes its password. */
  drops_password: boolean
}

const LINKS = {
  confirmation: {
    letter: 'confirmation',
    token: 'confirmation',
    type: 'signup',
    method: 'email/signup',
    drops_password: false,
  },
  /** Confirms an account without a password. The owner chooses a password afterwards. */
  first_password: {
    letter: 'first_password',
    token: 'confirmation',
    type: 'signup',
    method: 'email/signup',
    drops_password: true,
  },
  /** Sign-in mail to an unconfirmed account. The link confirms the account and deletes its password. */
  first_otp: {
    letter: 'magic_link',
    token: 'confirmation',
    type: 'signup',
    method: 'email/signup',
    drops_password: true,
  },
  magic_link: {
    letter: 'magic_link',
    token: 'recovery',
    type: 'magiclink',
    method: 'magiclink',
    drops_password: true,
  },
  recovery: {
    letter: 'recovery',
    token: 'recovery',
    type: 'recovery',
    method: 'recovery',
    drops_password: true,
  },
  invite: {
    letter: 'invite',
    token: 'confirmation',
    type: 'invite',
    method: 'invite',
    drops_password: true,
  },
  email_change_current: {
    letter: 'email_change_current',
    token: 'email_change_current',
    type: 'email_change',
    method: 'email_change',
    drops_password: false,
  },
  email_change_new: {
    letter: 'email_change_new',
    token: 'email_change_new',
    type: 'email_change',
    method: 'email_change',
    drops_password: false,
  },
} satisfies Record<string, LinkProtocol>

/** Kind of a mailed link. */
export type LinkKind = keyof typeof LINKS
type Writer = Pick<Services, 'db' | 'codeKey' | 'public_url' | 'auth' | 'log'>

const challengeOf = ({ code_challenge, code_challenge_method }: MailDetails) =>
  code_challenge && code_challenge_method ? { code_challenge, code_challenge_method } : undefined

/**
 * Creates a link and code for a user. Deletes the password of an unused account if the kind of link has
 * `drops_password`, because a stranger may have set it.
 */
export const makeLink = async (
  { db, codeKey, public_url }: Pick<Writer, 'db' | 'codeKey' | 'public_url'>,
  kind: LinkKind,
  { user, relates_to, details }: { user: User; relates_to: string; details: MailDetails },
) => {
  const { token, type, method, drops_password } = LINKS[kind]
  if (drops_password) await clearUnusedPassword(db, user.id)
  const { link, code } = await makeToken(
    { db, codeKey },
    {
      user_id: user.id,
      type: token,
      relates_to,
      drops_password,
      challenge: challengeOf(details),
      method,
    },
  )
  await markMailSent(db, user.id, token)
  const query = new URLSearchParams({
    token: link,
    type,
    redirect_to: details.redirect_to ?? public_url,
  })
  return { link, code, type, url: `${public_url}/auth/v1/verify?${query}` }
}

const mailOf = async (letter: LetterKind, facts: AccountMailFacts): Promise<Mail> => {
  const written = accountLetters[letter](facts)
  return {
    to: facts.email,
    link: facts.url,
    ...(await renderLetter(written)),
  }
}

/** Builds the daily digest. Attempts share one Message-ID, so that mailboxes recognise duplicates. */
const digestMail = async (
  { public_url }: Writer,
  { id, email, details }: MailJob,
): Promise<Mail> => {
  const letter = digestLetter({ quizzes: details.digest ?? [], public_url })
  const content = await renderLetter(letter)
  return { to: email, ...content, message_id: `${id}@${new URL(public_url).hostname}` }
}

const writeLinkMail = async (
  writer: Writer,
  kind: LinkKind,
  user: User,
  { email, details }: MailJob,
): Promise<Mail> => {
  const { url, code } = await makeLink(writer, kind, { user, relates_to: email, details })
  const new_email = user.new_email ?? undefined
  const is_one_enough = writer.auth.is_autoconfirmed
  const facts = { email, url, code, is_one_enough, ...(new_email && { new_email }) }
  return mailOf(LINKS[kind].letter, facts)
}

/** Builds a sign-in mail, and creates the account if needed and allowed. */
const writeOtp = async (
  writer: Writer,
  user: User | undefined,
  job: MailJob,
): Promise<Mail | undefined> => {
  const { db, auth, log } = writer
  if (user)
    return writeLinkMail(writer, user.email_confirmed_at ? 'magic_link' : 'first_otp', user, job)
  if (!job.details.create_user || !isSignUpOpen(await findSignUpMode(writer))) return undefined
  const made = await insertEmailUser(
    db,
    newEmailUser({
      email: job.email,
      encrypted_password: null,
      data: job.details.data ?? {},
      is_confirmed: auth.is_autoconfirmed,
    }),
  )
  // A concurrent sign-up took the address. The next attempt finds its account.
  if (!made) throw new Error('The address was taken meanwhile')
  log.info({ event: 'sign_up', user_id: made.id })
  return writeLinkMail(writer, made.email_confirmed_at ? 'magic_link' : 'first_otp', made, job)
}

/** Builds a mail whose code the reader types into an open session. */
const writeCodeMail = async (
  writer: Writer,
  kind: 'reauthentication' | 'reply_address',
  user: User,
  email: string,
): Promise<Mail> => {
  const { code } = await makeToken(writer, {
    user_id: user.id,
    type: kind,
    relates_to: email,
    drops_password: false,
    challenge: undefined,
    method: '',
  })
  if (kind === 'reauthentication') await markMailSent(writer.db, user.id, kind)
  return mailOf(kind, { email, code })
}

const NOTICES: readonly string[] = [
  'password_changed',
  'email_changed',
  'account_deleted',
  'factor_added',
  'factor_removed',
  'ways_in_replaced',
  'connection_blocked',
  'webhook_blocked',
] satisfies NoticeKind[]
const isNotice = (kind: string): kind is NoticeKind => NOTICES.includes(kind)

/**
 * Builds the mail of a queued job with a new link and code. Returns undefined if no mail may be sent, for example to an
 * unknown address, a banned account or a former address. Must run in its own transaction.
 */
export const writeMail = async (writer: Writer, job: MailJob): Promise<Mail | undefined> => {
  const { kind, email, details } = job
  if (kind === 'daily_digest') return digestMail(writer, job)
  if (kind === 'connection_blocked' || kind === 'webhook_blocked') {
    const { tool, to_do, nb_waiting, quiz_id, quiz_type } = details
    const path =
      kind === 'webhook_blocked' ? settingsPath(quiz_id ?? '', 'automatisations') : '/settings'
    const url = `${writer.public_url}${path}`
    return mailOf(kind, {
      tool,
      to_do,
      nb_waiting,
      email,
      url,
      quiz: quiz_type && { type: quiz_type },
    })
  }
  if (isNotice(kind)) return mailOf(kind, { email, new_email: details.new_email ?? '' })
  const { user, mayRead } = await lockMailRecipient(writer.db, job)
  if (kind === 'otp') return user && !mayRead ? undefined : writeOtp(writer, user, job)
  if (!user || !mayRead) return undefined
  if (kind === 'reply_address') return writeCodeMail(writer, kind, user, email)
  // Sends nothing if the address of the account has changed since the request.
  if (email !== (kind === 'email_change_new' ? user.new_email : user.email)) return undefined
  switch (kind) {
    case 'confirmation':
      if (user.email_confirmed_at) return undefined
      return writeLinkMail(
        writer,
        user.encrypted_password ? 'confirmation' : 'first_password',
        user,
        job,
      )
    case 'recovery':
      return writeLinkMail(writer, 'recovery', user, job)
    case 'invite':
      return writeLinkMail(writer, 'invite', user, job)
    case 'email_change':
      await queueChangeMails(writer, user, details)
      return undefined
    case 'email_change_current':
    case 'email_change_new':
      return user.new_email ? writeLinkMail(writer, kind, user, job) : undefined
    case 'reauthentication':
      return writeCodeMail(writer, kind, user, email)
    default:
      throw new Error(`There is no mail of the kind ${kind}`)
  }
}

/** Queues a mail to the new address of a pending change, and to the current address if there is one. */
export const queueChangeMails = async (
  { db }: Pick<Services, 'db'>,
  { id: user_id, email, new_email }: User,
  details: MailDetails,
): Promise<void> => {
  if (!new_email) return
  if (email) await enqueueMail(db, { kind: 'email_change_current', email, user_id, details })
  await enqueueMail(db, { kind: 'email_change_new', email: new_email, user_id, details })
}
