import { setTimeout as pause } from 'node:timers/promises'
import { catchMails } from '#server/testing/network/mail-catcher.ts'
import type { CaughtMail } from '#server/testing/network/read-mail.ts'
import type { OpenidProvider } from '#server/testing/people/openid-provider.ts'
import { cleanUpAll, type Installation, openInstallation } from '../../installation.ts'
import { untilReady } from '../../product.ts'

/** Behind a proxy, which says from which network each call comes. */
const LIMITED = { RATE_LIMITS: 'on', TRUST_PROXY: 'true' }

/** The ways an operator runs the product that the attacks are made on. */
const KINDS = {
  /** Addresses are confirmed by mail. Without limits, as what is attacked there is none of them. */
  confirming: {},
  /** Addresses are believed at sign-up. */
  believing: { AUTH_AUTOCONFIRM: 'true' },
  limited: LIMITED,
  /** Sends few mails an hour, so that they are used up soon. */
  few_mails: { ...LIMITED, AUTH_MAILS_PER_HOUR: '60' },
} satisfies Record<string, Record<string, string>>

type Site = { origin: string; pid: number; restart: () => Promise<void> }

export type Sites = {
  /** A running site of a kind, started when it is first asked for. */
  site: (kind: keyof typeof KINDS) => Promise<Site>
  /** The next mail to an address; undefined when none comes. */
  mailTo: (email: string) => Promise<CaughtMail | undefined>
}

const MAIL_MS = 20_000
/** On a machine that is busy with something else. */
const READY_MS = 180_000

/** Starts the product, however slow the machine is; settles once it is ready. */
export const startPatiently = (installation: Installation): Promise<void> =>
  untilReady(installation.launch(), READY_MS)

/** Sites that send their mails to a catcher of ours, and know the provider. */
export const openSites = async (
  provider: OpenidProvider,
): Promise<Sites & { close: () => Promise<void> }> => {
  const catcher = await catchMails()
  const installations = new Map<string, Promise<Installation>>()
  const open = async (kind: keyof typeof KINDS): Promise<Installation> => {
    const installation = await openInstallation({
      engine: 'embedded',
      env: {
        SMTP_URL: catcher.url,
        MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
        AUTH_AUTOCONFIRM: 'false',
        AUTH_MANUAL_LINKING: 'on',
        AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
        AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
        AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
        ...KINDS[kind],
      },
    })
    await startPatiently(installation)
    return installation
  }
  return {
    site: async (kind) => {
      const opening = installations.get(kind) ?? open(kind)
      installations.set(kind, opening)
      const installation = await opening
      const { origin, pid } = installation.product()
      return {
        // As its mails call it, so that a browser takes both for one.
        origin: origin.replace('127.0.0.1', 'localhost'),
        pid,
        restart: async () => {
          installation.product().kill('SIGTERM')
          await installation.product().exited
          await startPatiently(installation)
        },
      }
    },
    mailTo: (email) => Promise.race([catcher.next(email), pause(MAIL_MS, undefined)]),
    close: async () => {
      await cleanUpAll()
      await catcher.close()
    },
  }
}
