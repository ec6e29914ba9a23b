import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'

// Runs in test:all, because it runs programs in other processes.

const [kit, systemio, brevo] = await Promise.all([startKit(), startSystemio(), startBrevo()])
systemio.switches.calls = 1_000
brevo.switches.contacts_per_second = 1_000
after(() => Promise.all([kit, systemio, brevo].map((fake) => fake.close())))

const run = (env: Record<string, string>) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const options = { env }
    execFile(process.execPath, ['scripts/try-vendors.ts'], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    )
  })

test('the trial of live accounts reports missing accounts', async () => {
  const { code, said } = await run({})
  assert.equal(code, 2)
  assert.match(said, /^Nothing was tried\. Set TRY_EMAIL .* TRY_BREVO_KEY\.\n$/)
})

test('the trial of live accounts finds that the fake tools match the clients, and shows no key', async () => {
  const TRY_KIT_TOKEN = await createConsentToken(kit, 'essai')
  const { code, said } = await run({
    ...kit.env,
    ...systemio.env,
    ...brevo.env,
    TRY_EMAIL: 'essai@exemple.fr',
    TRY_PHONE: '06 12 34 56 78',
    TRY_KIT_TOKEN,
    TRY_SYSTEMEIO_KEY: 'systemeio-demo',
    TRY_BREVO_KEY: 'xkeysib-demo',
  })
  assert.equal(said.match(/^as expected/gm)?.length, 39, said)
  assert.match(said, /All is as expected\.\n$/)
  assert.equal(code, 0)
  assert.ok(!said.includes(TRY_KIT_TOKEN) && !/xkeysib|systemeio-demo/.test(said))
})
