import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPeople } from '#domain/testing/pick-by-run.ts'
import { createCampaignScene } from '#server/testing/app/campaign-scene.ts'
import { endIdleConnections } from '#server/testing/network/end-idle-connections.ts'
import { createRandom } from '#server/testing/quizzes/create-random.ts'

// Starts early, because its test takes more than 15 s.

const scene = await createCampaignScene({
  RESULT_MAILS_PER_DAY: '1000000',
  RESULT_MAILS_PER_NETWORK: '1000000',
})
const { pool, raw, catcher, newAddress, linksTo, createCampaign } = scene

const NB_PEOPLE = countPeople({ daily: 40, all: 200 })
const HOUR_MS = 3_600_000
const SLOW_MS = 50
/** Rounds after which every reminder day has passed. */
const NB_ROUNDS = 60

/** Refuses that an outcome is stored, as if the process were killed after the mail server's answer. */
const KILL = [
  `create or replace function refuse_mail_settlement() returns trigger language plpgsql as
  $$ begin raise exception 'the process was killed'; end $$`,
  `create trigger refuse_mail_settlement before update on invitations for each row
  when (old.lease_id is not null and new.lease_id is null) execute function refuse_mail_settlement()`,
]

test(`random failures send each mail of a campaign once, with ${NB_PEOPLE} people`, async () => {
  const random = createRandom(11)
  const addresses = Array.from({ length: NB_PEOPLE }, (_, rank) => newAddress(`p${rank}`))
  const { key, creator, quiz, reply, load, listPeople } = await createCampaign(
    addresses.map((email) => ({ email })),
    { reminder_days: [2, 5], ends_at: new Date(Date.now() + 300 * 24 * HOUR_MS).toISOString() },
  )
  /** Number of mails of a person at the reply or the refusal, after which none may leave. */
  const done = new Map<string, number>()
  const replied = new Set<string>()

  /** Breaks the mail server, the database or a worker, or sets the clock. Every fault is one that the product meets. */
  const breakSomething = async (): Promise<void> => {
    switch (random(9)) {
      case 0:
        return catcher.refuse(1 + random(4))
      case 1:
        return catcher.fail({ how: 'lost', times: 1 + random(2) })
      case 2:
        return catcher.fail({ how: 'away', times: 1 + random(3) })
      case 3:
        return catcher.fail({ how: 'half', times: 1 + random(2) })
      case 4:
        return catcher.fail({ how: 'held' })
      case 5: {
        for (const statement of KILL) await pool.query(statement)
        const worker = scene.startWorker()
        await worker.drain().catch(() => undefined)
        await worker.close()
        await pool.query('drop trigger refuse_mail_settlement on invitations')
        return
      }
      case 6:
        return scene.setClock(-HOUR_MS * (1 + random(30)))
      case 7:
        return endIdleConnections(pool)
      default:
        return
    }
  }
  /** Lets a person reply, from two devices at once, or refuse. */
  const act = async (): Promise<void> => {
    const open = addresses.filter((email) => !done.has(email) && linksTo(email).length > 0)
    const email = open[random(Math.max(1, open.length))]
    if (!email) return
    const [link = ''] = linksTo(email)
    const answers =
      random(3) === 0
        ? [await raw({ method: 'POST', url: `${link}/refus` })]
        : await Promise.all(Array.from({ length: 1 + random(2) }, () => reply(link)))
    const nb_stored = answers.filter(({ statusCode }) => statusCode === 201).length
    assert.ok(nb_stored <= 1)
    if (nb_stored === 1) replied.add(email)
    if (answers.some(({ statusCode }) => statusCode < 300)) done.set(email, linksTo(email).length)
  }

  // A slow mail server answers after some time.
  const releasing = setInterval(catcher.release, SLOW_MS)
  const advance = (ms: number) => scene.advanceClock(ms).catch(() => undefined)
  for (let round = 0; round < NB_ROUNDS; round++) {
    await breakSomething().catch(() => undefined)
    await advance(1_000 * (1 + random(90)))
    for (let acts = random(Math.ceil(NB_PEOPLE / NB_ROUNDS) + 1); acts > 0; acts--)
      await act().catch(() => undefined)
    if (round % 3 === 0) await advance(HOUR_MS * random(24))
  }
  clearInterval(releasing)
  catcher.heal()
  await scene.sendAll(addresses)
  for (let day = 0; day < 12; day++)
    for (let burst = 0; burst < 10 + NB_PEOPLE / 50; burst++)
      await scene.advanceClock(burst === 0 ? 24 * HOUR_MS : 10_000)

  for (const email of addresses) {
    const mails = catcher.mails.filter(({ to }) => to === email)
    const ids = (isMeant: (subject: string) => boolean) =>
      new Set(
        mails.filter(({ subject }) => isMeant(subject)).map((mail) => mail.headers['message-id']),
      )
    // A mail that is repeated, because its acceptance was lost, has the Message-ID of the first.
    assert.equal(ids((subject) => subject !== 'Rappel').size, 1, email)
    const nb_reminders = ids((subject) => subject === 'Rappel').size
    assert.ok(nb_reminders <= 2, email)
    if (!done.has(email)) assert.ok(nb_reminders >= 1, email)
    assert.equal(new Set(linksTo(email)).size, 1)
    assert.equal(mails.length, done.get(email) ?? mails.length, email)
  }
  const { counts } = await load()
  const { rows } = await pool.query<{ state: string; count: number }>(
    `select case when replied_at is not null then 'replied' when refused_at is not null then 'refused'
      when failed_code is not null then 'failed' else 'invited' end as state, count(*)::integer as count
    from invitations where quiz_id = $1 group by 1`,
    [key.id],
  )
  for (const { state, count } of rows) assert.equal(counts[state as keyof typeof counts], count)
  assert.deepEqual(
    [counts.replied, counts.refused, counts.invited, counts.failed],
    [replied.size, done.size - replied.size, NB_PEOPLE - done.size, 0],
  )
  const { quiz: stored } = await creator.client.quizzes.get({ id: quiz.id })
  assert.equal(stored.nb_responses, replied.size)
  if (NB_PEOPLE <= 100)
    for (const person of await listPeople()) {
      const isPlanned = person.sent_at.filter((at) => at !== null).length
      assert.ok(isPlanned >= 1 && isPlanned <= 3)
    }
})
