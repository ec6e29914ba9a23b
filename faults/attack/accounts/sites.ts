import { setTimeout as pause } from 'node:timers/promises'
import { catchMails } from '#server/testing/network/mail-catcher.ts'
import type { CaughtMail } from '#server/testing/network/read-mail.ts'
import type { OpenidProvider } from '#server/testing/people/openid-provider.ts'
import { cleanUpAll, type Installation, openInstallation } from '../../runner/installation.ts'
import { waitUntilReady } from '../../runner/product.ts'

/** Configuration behind a proxy that names the network of each call. */
const LIMITED = { RATE_LIMITS: 'on', TRUST_PROXY: 'true' }

/** Configurations of the attacked sites. */
const KINDS = {
  /** Addresses are confirmed by mail, without rate limits. */
  confirming: {},
  /** Addresses are accepted at sign-up without confirmation. */
  believing: { AUTH_AUTOCONFIRM: 'true' },
  limited: LIMITED,
  /** Low limit of mails per hour, so that attacks reach it. */
  few_mails: { ...LIMITED, AUTH_MAILS_PER_HOUR: '60' },
} satisfies Record<string, Record<string, string>>

type Site = { origin: string; pid: number; restart: () => Promise<void> }

/** Sites of several configurations, and the mails that they send. */
export type Sites = {
  /** Returns the site of a kind, and starts it at the first request. */
  site: (kind: keyof typeof KINDS) => Promise<Site>
  /** Returns the next mail to an address; undefined if none arrives. */
  mailTo: (email: string) => Promise<CaughtMail | undefined>
}

const MAIL_MS = 20_000
/** Maximum start time on a busy machine. */
const READY_MS = 180_000

/** Starts the product with a long timeout, and resolves when it is ready. */
export const startPatiently = (installation: Installation): Promise<void> =>
  waitUntilReady(installation.startWithoutWaiting(), READY_MS)

/** Creates sites that send mails to a local catcher and accept the identity provider. */
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
        // Host name of the links in the mails, so that browsers treat both addresses as one origin.
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
