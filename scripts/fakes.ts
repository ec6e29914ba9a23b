/** Starts fakes of Kit, Systeme.io and Brevo, so that the product can be tried without accounts at these tools. */
import { startBrevo } from '../src/server/testing/fakes/brevo.ts'
import { startKit } from '../src/server/testing/fakes/kit.ts'
import { startSystemio } from '../src/server/testing/fakes/systemio.ts'

const [kitPort, systemioPort, brevoPort] = [0, 1, 2].map(
  (step) => Number(process.env.FAKES_PORT ?? 4400) + step,
)
const public_url = process.env.PUBLIC_URL ?? 'http://localhost:3000'

const kit = await startKit({ port: kitPort, flows: true })
const consent = process.env.FAKES_CONSENT
kit.switches.consent = consent === 'approve' || consent === 'deny' ? consent : 'ask'
kit.switches.redirect_uris.push(`${public_url}/api/v1/integrations/convertkit/callback`)
const systemio = await startSystemio({ port: systemioPort, flows: true })
const brevo = await startBrevo({ port: brevoPort, flows: true })
systemio.keys.addFamily('systemeio-demo')
brevo.keys.addFamily('xkeysib-demo')

const env = { ...kit.env, ...systemio.env, ...brevo.env }
console.log('# Three email tools run. Start Quizaine with:')
for (const [name, value] of Object.entries(env)) console.log(`${name}=${value}`)
console.log(
  '# Keys that open an account: systemeio-demo for Systeme.io, xkeysib-demo for Brevo; systemeio-demo-2, and so on, open another one.',
)
for (const { origin } of [kit, systemio, brevo])
  console.log(
    `# What it holds: ${origin}/__fake/state, what it was asked: ${origin}/__fake/journal`,
  )
