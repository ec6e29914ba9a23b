import { setTimeout as pause } from 'node:timers/promises'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import type { CaughtMail } from '#server/testing/network/mail/read-mail.ts'
import type { OpenidProvider } from '#server/testing/people/openid-provider.ts'
import { cleanUpAll, type Installation, openInstallation } from '../../runner/installation.ts'
import { waitUntilReady } from '../../runner/product.ts'

/** Settings with rate limits. A header names the network of each call, as behind a proxy. */
const RATE_LIMITED = { RATE_LIMITS: 'on', TRUST_PROXY: 'true' }

/** Addresses of administrators of the administered site. */
const ADMIN_EMAILS = ['cheffe', 'adjoint', 'libre', 'quatrieme', 'cinquieme'].map(
  (name) => `${name}@attaque.example`,
)

/** Environment variables of the attacked sites. */
const CONFIGURATIONS = {
  /** Sign-ups are confirmed by mail; no rate limits. */
  with_confirmation: {},
  /** Sign-ups need no confirmation; no rate limits. */
  without_confirmation: { AUTH_AUTOCONFIRM: 'true' },
  /** Sign-ups need no confirmation, and some addresses administer. */
  administered: { AUTH_AUTOCONFIRM: 'true', ADMIN_EMAILS: ADMIN_EMAILS.join(',') },
  rate_limited: RATE_LIMITED,
  /** Low limit of mails per hour, so that attacks reach it. */
  few_mails: { ...RATE_LIMITED, AUTH_MAILS_PER_HOUR: '60' },
} satisfies Record<string, Record<string, string>>

type Site = { origin: string; pid: number; restart: () => Promise<void> }

/** Sites with several configurations, and the mails that they send. */
export type ConfiguredSites = {
  /** Returns the site with a configuration. The first call starts the site. */
  configuredSite: (kind: keyof typeof CONFIGURATIONS) => Promise<Site>
  /** Returns the next mail to an address; undefined if none arrives. */
  mailTo: (email: string) => Promise<CaughtMail | undefined>
}

const MAX_MAIL_WAIT_MS = 20_000
/** Maximum start time on a busy machine. */
const READY_MS = 180_000

/** Starts the product and waits until it is ready, with a long timeout for a busy machine. */
export const startAndWait = (installation: Installation): Promise<void> =>
  waitUntilReady(installation.startWithoutWaiting(), READY_MS)

/** Creates the sites. They send mails to a local test server and accept the test identity provider. */
export const openConfiguredSites = async (
  provider: OpenidProvider,
): Promise<ConfiguredSites & { close: () => Promise<void> }> => {
  const catcher = await startMailCatcher()
  const installations = new Map<string, Promise<Installation>>()
  const open = async (kind: keyof typeof CONFIGURATIONS): Promise<Installation> => {
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
        ...CONFIGURATIONS[kind],
      },
    })
    await startAndWait(installation)
    return installation
  }
  return {
    configuredSite: async (kind) => {
      const opening = installations.get(kind) ?? open(kind)
      installations.set(kind, opening)
      const installation = await opening
      const { origin, pid } = installation.product()
      return {
        // The links in the mails also use `localhost`, so that browsers see one origin.
        origin: origin.replace('127.0.0.1', 'localhost'),
        pid,
        restart: async () => {
          installation.product().kill('SIGTERM')
          await installation.product().exited
          await startAndWait(installation)
        },
      }
    },
    mailTo: (email) => Promise.race([catcher.next(email), pause(MAX_MAIL_WAIT_MS, undefined)]),
    close: async () => {
      await cleanUpAll()
      await catcher.close()
    },
  }
}
