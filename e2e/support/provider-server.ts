import { startOpenidProvider } from '../../src/server/testing/people/openid-provider.ts'
import { test as base, type OwnServer, withOwnServer } from './server-process.ts'

type Provider = Awaited<ReturnType<typeof startOpenidProvider>>

/** Tests on a separate server with the external sign-in provider « Maison ». Each test resets the provider's faults. */
export const testWithProvider = (env: Record<string, string> = {}) =>
  base.extend<{ provider: Provider; origin: string }, { maison: Provider; server: OwnServer }>({
    maison: [
      async ({ browserName: _ }, use) => {
        const maison = await startOpenidProvider()
        await use(maison)
        await maison.close()
      },
      { scope: 'worker' },
    ],
    server: [
      ({ maison }, use) => {
        const provider = {
          AUTH_EXTERNAL_MAISON_CLIENT_ID: maison.client_id,
          AUTH_EXTERNAL_MAISON_SECRET: maison.secret,
          AUTH_EXTERNAL_MAISON_ISSUER: maison.issuer,
        }
        return withOwnServer({ ...provider, ...env }, use)
      },
      { scope: 'worker' },
    ],
    provider: ({ maison }, use) =>
      use(Object.assign(maison, { person: {}, invalid_claims: {}, answers_by_form: false })),
    origin: ({ server }, use) => use(server.origin),
  })
