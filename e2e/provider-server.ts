import { startOpenidProvider } from '../src/server/testing/openid-provider.ts'
import { test as base, isReady } from './server-process.ts'

type Provider = Awaited<ReturnType<typeof startOpenidProvider>>

/** Tests on a separate server with an external sign-in provider, « Maison ». */
export const testWithProvider = (first_port: number, env: Record<string, string> = {}) =>
  base.extend<{ provider: Provider; origin: string }>({
    provider: async ({ baseURL: _ }, use) => {
      const provider = await startOpenidProvider()
      await use(provider)
      await provider.close()
    },
    origin: async ({ run, provider, baseURL }, use, { parallelIndex }) => {
      const port = Number(new URL(baseURL ?? '').port) + first_port + parallelIndex
      const running = run({
        PORT: String(port),
        RATE_LIMITS: 'off',
        AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
        AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
        AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
        ...env,
      })
      await isReady(running)
      await use(`http://localhost:${port}`)
    },
  })
