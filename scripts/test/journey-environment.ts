import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../imports.ts'

/** Addresses of the product and of the three fake email tools during the journeys, from the port of the product. */
const addressesOf = (port: number) => {
  const fakes_port = port + 1000
  const [kit, systemio, brevo] = [0, 1, 2].map((step) => `http://127.0.0.1:${fakes_port + step}`)
  return { origin: `http://localhost:${port}`, fakes_port, kit, systemio, brevo }
}

/** Environment of the product and of the fake email tools (scripts/fakes.ts) that the journeys use. */
export const journeyEnvironment = (port: number, data_dir: string) => {
  const { origin, fakes_port, kit, systemio, brevo } = addressesOf(port)
  return {
    origin,
    fakes_port,
    /** Answers once the fakes are ready. */
    fakes_url: `${brevo}/__fake/state`,
    fakes: { FAKES_PORT: String(fakes_port), FAKES_CONSENT: 'approve', PUBLIC_URL: origin },
    server: {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: data_dir,
      RATE_LIMITS: 'off',
      HTTP_LOOP_DELAY_MS: '600000',
      LOG_LEVEL: 'warn',
      KIT_CLIENT_ID: 'cid_demo',
      KIT_CLIENT_SECRET: 'cs_demo',
      KIT_API_URL: `${kit}/v4`,
      KIT_AUTHORIZE_URL: `${kit}/v4/oauth/authorize`,
      KIT_TOKEN_URL: `${kit}/v4/oauth/token`,
      KIT_REVOKE_URL: `${kit}/v4/oauth/revoke`,
      SYSTEMEIO_API_URL: `${systemio}`,
      BREVO_API_URL: `${brevo}/v3`,
      WEBHOOKS_TO_LOOPBACK: 'on',
    },
  }
}

/** Port of the product during the journeys. */
export const readPort = (): number => Number(process.env.E2E_PORT ?? 4187)

/** Module that starts both; it belongs to another project of TypeScript, which imports this one. */
export const SERVERS_MODULE = pathToFileURL(join(ROOT, 'e2e/engines/start-servers.ts')).href
export type ServersModule = {
  startServers: (environment: ReturnType<typeof journeyEnvironment>) => Promise<() => Promise<void>>
}
