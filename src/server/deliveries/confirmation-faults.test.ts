import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPeople } from '#domain/testing/pick-by-run.ts'
import { settleDueConfirmations } from '#server/confirmations/due-confirmations.store.ts'
import { createConfirmationScene } from '#server/testing/app/confirmation-scene.ts'
import { endIdleConnections } from '#server/testing/network/end-idle-connections.ts'
import { createRandom } from '#server/testing/quizzes/create-random.ts'

// Starts early, because its test takes more than 15 s.

const scene = await createConfirmationScene({
  RESULT_MAILS_PER_DAY: '1000000',
  RESULT_MAILS_PER_NETWORK: '1000000',
})
const { pool, db, catcher, fakes, receiver, listMailsTo, linkTo, press } = scene

const PARTICIPANTS = countPeople({ daily: 40, all: 300 })
const IN_A_ROUND = 10

/** Participant of the test, with what happened to the mail. */
type Joined = { address: string; participant_uuid: string; is_confirmed: boolean }

test(`random failures confirm each address once, with ${PARTICIPANTS} participants`, async () => {
  const random = createRandom(7)
  const { creator, quiz, balance } = await scene.createConfirmingQuiz(undefined, {
    sends_result: true,
  })
  const { name: hook } = await scene.addWebhook(creator, quiz)
  const joined: Joined[] = []

  /** Breaks a mail server, a tool or a worker, or sets a clock. Every fault is one that the product meets. */
  const breakSomething = async (): Promise<void> => {
    switch (random(9)) {
      case 0:
        return catcher.refuse(1 + random(4))
      case 1:
        return catcher.fail({ how: 'lost', times: 1 + random(2) })
      case 2:
        return catcher.fail({ how: 'half', times: 1 + random(3) })
      case 3:
        return [...Object.values(fakes), receiver][random(4)]?.fail({ mode: 'after', status: 504 })
      case 4: {
        // A killed worker leaves its leases; another one claims them later.
        await pool.query(
          `update deliveries set lease_id = gen_random_uuid(), lease_until = now() + interval '1 minute'
          where quiz_id = $1 and status = 'pending' and lease_id is null`,
          [quiz.id],
        )
        return
      }
      case 5: {
        const jumps = ['-40 days', '-2 hours', '40 days', '5 hours']
        await pool.query('update confirmation_clock set read_at = read_at + $1::interval', [
          jumps[random(jumps.length)],
        ])
        return
      }
      case 6:
        // Another process runs the same maintenance at the same time.
        await Promise.all([settleDueConfirmations(db), settleDueConfirmations(db)])
        return
      case 7:
        return endIdleConnections(pool)
      default:
        return
    }
  }
  /** Presses the button of a mail that has arrived, sometimes twice at once. */
  const pressOne = async (): Promise<void> => {
    const open = joined.filter(
      ({ address, is_confirmed }) => !is_confirmed && listMailsTo(address).length > 0,
    )
    const one = open[random(Math.max(1, open.length))]
    if (!one) return
    const url = linkTo(one.address)
    const answers = await Promise.all(
      Array.from({ length: 1 + random(2) }, () => press(url).catch(() => undefined)),
    )
    one.is_confirmed = answers.some((answer) => answer?.statusCode === 200)
  }

  for (let index = 0; joined.length < PARTICIPANTS; index += 1) {
    const batch = Array.from({ length: IN_A_ROUND }, (_, rank) => `f${index}-${rank}@exemple.fr`)
    await breakSomething()
    for (const address of batch) {
      const submitted = await scene
        .submitParticipant(quiz, address, random(2))
        .catch(() => undefined)
      if (submitted) joined.push({ address, ...submitted, is_confirmed: false })
    }
    await scene.advanceClock(1_000 * random(90) + 1).catch(() => undefined)
    for (let presses = random(IN_A_ROUND); presses > 0; presses -= 1) await pressOne()
  }
  catcher.heal()
  for (const fake of [...Object.values(fakes), receiver]) fake.heal()
  await scene.finishDeliveries(20_000)
  // Reminders, then the end of the seven days.
  for (const hours of [48, 48, 96]) await scene.waitHours(hours)

  const { rows } = await pool.query<{ address: string; state: string }>(
    'select email as address, email_confirmation as state from responses where quiz_id = $1',
    [quiz.id],
  )
  const confirmed = rows.filter(({ state }) => state === 'confirmed').map((row) => row.address)
  const expired = rows.filter(({ state }) => state === 'expired').map((row) => row.address)
  assert.equal(confirmed.length + expired.length, rows.length)
  assert.ok(confirmed.length > 0 && expired.length > 0)
  for (const { address, is_confirmed } of joined)
    if (is_confirmed) assert.ok(confirmed.includes(address), address)

  // Each confirmed address is at each tool once; no other address is.
  for (const people of Object.values(scene.listPeopleAtTools(creator.account)))
    assert.deepEqual(people.map(({ email }) => email).sort(), confirmed.toSorted())
  for (const channel of ['convertkit', 'systemio', 'brevo', 'mail'])
    assert.deepEqual(
      await balance(channel),
      { delivered: confirmed.length, not_confirmed: expired.length },
      channel,
    )
  assert.deepEqual(await balance('confirmation'), { delivered: rows.length })
  assert.deepEqual(await balance('webhook'), { delivered: rows.length })
  const events = receiver
    .receivedAt(hook)
    .map(({ text }) => JSON.parse(text) as { data: { email: string | null } })
  const named = events.flatMap(({ data }) => data.email ?? [])
  assert.deepEqual([...new Set(named)].sort(), confirmed.toSorted())

  // One request and one reminder at most; a repeated mail has the Message-ID of the first.
  for (const { address } of rows) {
    const mails = listMailsTo(address)
    const idsOf = (pattern: RegExp): Set<string | undefined> =>
      new Set(
        mails
          .filter(({ subject }) => pattern.test(subject))
          .map(({ headers }) => headers['message-id']?.toString()),
      )
    assert.equal(idsOf(/^Confirmez/).size, 1, address)
    assert.ok(idsOf(/^Rappel/).size <= 1, address)
    assert.equal(idsOf(/^Résultat/).size, confirmed.includes(address) ? 1 : 0, address)
  }
})
