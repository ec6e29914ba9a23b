import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import {
  createCampaignScene,
  publishedAnonymousSondage,
} from '#server/testing/app/campaign-scene.ts'

// Starts early: a hundred people reply one after the other, twice.

const scene = await createCampaignScene()
const { pool, newAddress, linksTo, createCampaign, signUp, catcher, findOutput } = scene

/** A row of a table with its system columns. */
type Row = { table: string; values: Record<string, unknown> }

/** Returns every row of every table, with the place and the transaction of the row. */
const dumpTables = async (): Promise<Row[]> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const dump: Row[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) || jsonb_build_object(
        'ctid_', (t.ctid::text::point)[0] * 10000 + (t.ctid::text::point)[1], 'xmin_', t.xmin::text::bigint,
        'xmax_', t.xmax::text::bigint
      ) as row from "${name}" as t`,
    )
    dump.push(...rows.map(({ row }) => ({ table: name, values: row })))
  }
  return dump
}

const NB_PEOPLE = 100
/** Rank correlation that a random order of a hundred rows practically never reaches (4.5 standard deviations). */
const MAX_CORRELATION = 0.45

/** Number of rows at the same place of both tables that two random orders practically never exceed (one is expected). */
const MAX_SAME_PLACES = 8

/** Returns the rank of each value; texts are compared as texts. */
const ranksOf = (values: readonly unknown[]): number[] => {
  const texts = values.map((value) => (typeof value === 'number' ? value : JSON.stringify(value)))
  const order = texts
    .map((value, index) => ({ value, index }))
    .toSorted(
      (first, second) => Number(first.value > second.value) - Number(first.value < second.value),
    )
  const ranks: number[] = []
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && order[to]?.value === order[from]?.value) to++
    for (const { index } of order.slice(from, to)) ranks[index] = (from + to - 1) / 2
    from = to
  }
  return ranks
}

/** Returns the correlation of Spearman; 0 if all values of one list are equal. */
const correlationOf = (first: readonly unknown[], second: readonly unknown[]): number => {
  const [xs, ys] = [ranksOf(first), ranksOf(second)]
  const mean = (xs.length - 1) / 2
  const sum = (terms: readonly number[]) => terms.reduce((total, term) => total + term, 0)
  const covariance = sum(xs.map((x, index) => (x - mean) * ((ys[index] ?? 0) - mean)))
  const spread = Math.sqrt(
    sum(xs.map((x) => (x - mean) ** 2)) * sum(ys.map((y) => (y - mean) ** 2)),
  )
  return spread === 0 ? 0 : covariance / spread
}

/** Submits a different text for each person, in random order. Returns the pairs of person and text. */
const letAllReply = async (is_anonymous: boolean) => {
  const creator = await signUp()
  const quiz = await publishedAnonymousSondage(creator.client)
  const { questions } = await creator.client.questions.list({ id: quiz.id })
  const open_id = questions.find(({ type }) => type === 'text')?.id ?? ''
  const people = Array.from({ length: NB_PEOPLE }, (_, rank) => ({
    email: newAddress(`p${rank}`),
    first_name: `Prénom${rank}`,
    group_name: ['Petit groupe', 'Nord', 'Sud', 'Est', 'Nord', 'Sud'][rank % 6],
  }))
  const campaign = await createCampaign(people, { creator, quiz, is_anonymous })
  await scene.sendAll(people.map(({ email }) => email))
  const order = people.map((_, index) => (index * 37) % NB_PEOPLE)
  const pairs: { email: string; text: string }[] = []
  for (const index of order) {
    const email = people[index]?.email ?? ''
    const text = `texte ${randomUUID()}`
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [open_id]: text }
    const answer = await campaign.reply(linksTo(email)[0] ?? '', { answers })
    assert.equal(answer.statusCode, 201, answer.body)
    pairs.push({ email, text })
  }
  return { ...campaign, pairs }
}

/**
 * Tries to join people and replies with all tables at hand: by values that both rows have, and by the order of any pair of
 * columns. Returns a description of each success.
 */
const joinReplies = (
  dump: readonly Row[],
  pairs: readonly { email: string; text: string }[],
): string[] => {
  const personRows = new Map<string, Row>()
  const replyRows = new Map<string, Row>()
  const found: string[] = []
  for (const row of dump) {
    const json = JSON.stringify(row.values)
    const person = pairs.find(({ email }) => json.includes(email))
    const reply = pairs.find(({ text }) => json.includes(text))
    if (person && reply) found.push(`${row.table} has both`)
    if (person && row.table === 'invitations') personRows.set(person.email, row)
    if (reply && row.table === 'responses') replyRows.set(reply.text, row)
  }
  const joined = pairs.flatMap(({ email, text }) => {
    const [person, reply] = [personRows.get(email), replyRows.get(text)]
    return person && reply ? [{ person: person.values, reply: reply.values }] : []
  })
  const columnsOf = (side: 'person' | 'reply'): string[] => Object.keys(joined[0]?.[side] ?? {})
  for (const theirs of columnsOf('person'))
    for (const replied of columnsOf('reply')) {
      const first = joined.map(({ person }) => person[theirs])
      const second = joined.map(({ reply }) => reply[replied])
      const isSame = (index: number): boolean =>
        first[index] !== null && JSON.stringify(first[index]) === JSON.stringify(second[index])
      const nb_same = [...joined.keys()].filter((index) => {
        const nb_alike = second.filter(
          (value) => JSON.stringify(value) === JSON.stringify(second[index]),
        ).length
        return isSame(index) && nb_alike < 5
      }).length
      const max_same = theirs === 'ctid_' && replied === 'ctid_' ? MAX_SAME_PLACES : 0
      if (nb_same > max_same) found.push(`invitations.${theirs} = responses.${replied}`)
      const correlation = correlationOf(first, second)
      if (Math.abs(correlation) > MAX_CORRELATION)
        found.push(
          `order of invitations.${theirs} ~ responses.${replied}: ${correlation.toFixed(2)}`,
        )
    }
  return [...new Set(found)]
}

/** Returns the correlations that come from the groups alone, whose people are known to be at least five. */
const isByGroup = (success: string): boolean =>
  /invitations\.(group_name|email|first_name|state)\b.*responses\.group_name|invitations\.group_name/.test(
    success,
  )

describe('the replies of an anonymous campaign', () => {
  test('nothing in the database joins them to people, neither during the campaign nor after it', async () => {
    const { pairs, creator, quiz, key, load } = await letAllReply(true)
    const during = await dumpTables()
    assert.deepEqual(
      joinReplies(during, pairs).filter(
        (success) => !isByGroup(success) && !success.startsWith('order'),
      ),
      [],
    )
    const shown = during.filter(
      ({ table, values }) => table === 'responses' && values.quiz_id === quiz.id,
    )
    assert.ok(shown.length >= 60 && shown.length < NB_PEOPLE, String(shown.length))
    const batches = Map.groupBy(shown, ({ values }) => values.xmin_)
    for (const batch of batches.values()) assert.ok(batch.length >= 5)
    const waiting = pairs.filter(({ text }) => !JSON.stringify(during).includes(text))
    assert.equal(waiting.length, NB_PEOPLE - shown.length)

    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    const after = await dumpTables()
    assert.deepEqual(
      joinReplies(after, pairs).filter((success) => !isByGroup(success)),
      [],
    )
    const responses = after.filter(
      ({ table, values }) => table === 'responses' && values.quiz_id === quiz.id,
    )
    assert.equal(responses.length, NB_PEOPLE)
    assert.equal(new Set(responses.map(({ values }) => values.xmin_)).size, 1)
    for (const { values } of responses) {
      assert.match(String(values.created_at), /T(23|22):00:00\+00:00$/)
      assert.equal(values.elapsed_seconds, null)
      assert.equal(values.run_secret_hash, null)
    }
    assert.equal((await load()).counts.replied, NB_PEOPLE)
    assert.deepEqual(await findDifferences(pool), [])
    const { people } = await creator.client.campaigns.people(key)
    for (const person of people) {
      assert.equal(person.participant_uuid, null)
      assert.match(person.replied_at ?? '', /T00:00:00/)
    }
  })

  test('the same attack joins the replies of a campaign that is not anonymous', async () => {
    const { pairs } = await letAllReply(false)
    const successes = joinReplies(await dumpTables(), pairs)
    assert.ok(successes.includes('invitations.participant_uuid = responses.participant_uuid'))
    assert.ok(successes.some((success) => success.startsWith('order of invitations.replied_at')))
  })

  test('fewer than five replies are deleted at the end and never shown', async () => {
    const creator = await signUp()
    const quiz = await publishedAnonymousSondage(creator.client)
    const emails = Array.from({ length: 6 }, () => newAddress())
    const people = emails.map((email) => ({ email }))
    const { reply, key, load } = await createCampaign(people, { creator, quiz, is_anonymous: true })
    await scene.sendAll(emails)
    const text = 'une seule fois'
    for (const email of emails.slice(0, 4)) await reply(linksTo(email)[0] ?? '')
    assert.ok(!JSON.stringify(await dumpTables()).includes(text))
    const { quiz: before } = await creator.client.quizzes.get({ id: quiz.id })
    assert.equal(before.nb_responses, 0)
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    const ended = await load()
    assert.deepEqual([ended.nb_deleted_replies, ended.counts.replied], [4, 4])
    const { quiz: after } = await creator.client.quizzes.get({ id: quiz.id })
    assert.equal(after.nb_responses, 0)
  })

  test('a run that sends its reply again is acknowledged, and another run is refused', async () => {
    const creator = await signUp()
    const quiz = await publishedAnonymousSondage(creator.client)
    const email = newAddress()
    const { reply } = await createCampaign([{ email }], { creator, quiz, is_anonymous: true })
    const run = { participant_uuid: randomUUID(), run_secret: randomUUID() }
    const [link = ''] = linksTo(email)
    assert.equal((await reply(link, run)).statusCode, 201)
    const again = await reply(link, run)
    assert.ok(again.statusCode < 300, again.body)
    assert.equal(again.json().participant_uuid, run.participant_uuid)
    assert.equal((await reply(link)).json().code, 'already_replied')
  })

  test('a questionnaire that asks who the participant is cannot have an anonymous campaign', async () => {
    await assert.rejects(createCampaign([{ email: newAddress() }], { is_anonymous: true }), {
      code: 'not_anonymous',
    })
  })

  test('no log line has a link or a reply', () => {
    const tokens = catcher.mails.flatMap(({ text }) => /\/i\/([\w-]{22})/.exec(text)?.[1] ?? [])
    assert.ok(tokens.length > 100)
    assert.deepEqual(findOutput(tokens), [])
  })
})
