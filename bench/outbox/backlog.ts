import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { Db } from '../../src/server/db/database.ts'

/** Starts a fake Kit that answers every upsert after `delay_ms` and records when each person arrived. */
export const startSlowKit = async (delay_ms: number) => {
  const arrivals = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += String(part)
    const { email_address, fields } = JSON.parse(text) as {
      email_address: string
      fields: object
    }
    setTimeout(() => {
      arrivals.set(email_address, performance.now())
      response.writeHead(200, { 'content-type': 'application/json' })
      const subscriber = { id: arrivals.size, state: 'active', email_address, fields }
      response.end(JSON.stringify({ subscriber, warnings: [] }))
    }, delay_ms)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    api_url: `http://127.0.0.1:${port}/v4`,
    arrivals,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Quiz of a creator and its connection to Kit. */
export type Sender = { quiz_id: string; connection_id: string }

const SNAPSHOT = JSON.stringify({
  quiz: { name: 'Mesure', type: 'quiz', status: 'Publié' },
  questions: [],
  text_blocks: [],
  results: [{ id: randomUUID(), name: 'Profil' }],
  quiz_mode: null,
})

/** Creates `count` creators, each with a connection and a quiz. */
export const createSenders = async (db: Db, count: number): Promise<Sender[]> => {
  const senders = Array.from({ length: count }, () => ({
    user_id: randomUUID(),
    quiz_id: randomUUID(),
    connection_id: randomUUID(),
  }))
  for (const { user_id, quiz_id, connection_id } of senders) {
    await sql`
      insert into quizzes (id, creator_id, name, type, status, published_version, consent_mode)
      values (${quiz_id}, ${user_id}, 'Mesure', 'quiz', 'Publié', 1, 'requested')
    `.execute(db)
    await sql`
      insert into quiz_versions (quiz_id, version, snapshot) values (${quiz_id}, 1, ${SNAPSHOT})
    `.execute(db)
    await connect(db, { user_id, quiz_id, connection_id, provider: 'convertkit' })
  }
  return senders
}

type Connecting = { user_id: string; quiz_id: string; connection_id: string; provider: string }

const connect = async (
  db: Db,
  { user_id, quiz_id, connection_id, provider }: Connecting,
): Promise<void> => {
  await sql`
    insert into integration_connections (id, user_id, provider, sealed_secret, status)
    values (${connection_id}, ${user_id}, ${provider}, '\\x00', 'active')
  `.execute(db)
  await sql`
    insert into quiz_integrations (quiz_id, provider, enabled, field_key, tag_by_result)
    values (${quiz_id}, ${provider}, true, 'resultat', false)
  `.execute(db)
}

/** Connects an existing quiz to all three tools. */
export const forwardQuiz = async (db: Db, quiz_id: string): Promise<void> => {
  const { creator_id } = await db
    .updateTable('quizzes')
    .set({ consent_mode: 'requested' })
    .where('id', '=', quiz_id)
    .returning('creator_id')
    .executeTakeFirstOrThrow()
  for (const provider of ['convertkit', 'systemio', 'brevo'])
    await connect(db, { user_id: creator_id, quiz_id, connection_id: randomUUID(), provider })
}

/** Switches all integrations of a quiz on or off. */
export const switchForwarding = async (
  db: Db,
  quiz_id: string,
  enabled: boolean,
): Promise<void> => {
  await db
    .updateTable('quiz_integrations')
    .set({ enabled })
    .where('quiz_id', '=', quiz_id)
    .execute()
}

/** Inserts participants whose deliveries are due now. */
export const addParticipants = async (
  db: Db,
  sender: Sender,
  { count, name }: { count: number; name: string },
): Promise<void> => {
  for (let from = 1; from <= count; from += AT_ONCE)
    await addSome(db, sender, { from, to: Math.min(count, from + AT_ONCE - 1), name })
}

const AT_ONCE = 2_000

const addSome = async (
  db: Db,
  { quiz_id, connection_id }: Sender,
  { from, to, name }: { from: number; to: number; name: string },
): Promise<void> => {
  await sql`
    with new_responses as (
      insert into responses (
        quiz_id, participant_uuid, version, email, result_position, choices, texts
      )
      select ${quiz_id}, gen_random_uuid(), 1, ${name} || rank || '@exemple.fr', 0, '{}', '{}'
      from generate_series(${from}::integer, ${to}::integer) as rank
      returning quiz_id, participant_uuid, created_at
    )
    insert into deliveries (
      quiz_id, participant_uuid, provider, connection_id, status, result_name, created_at,
      next_attempt_at, give_up_at
    )
    select quiz_id, participant_uuid, 'convertkit', ${connection_id}, 'pending', 'Profil',
      created_at, now(), now() + interval '3 days'
    from new_responses
  `.execute(db)
}

/** Returns the number of completed deliveries. */
export const countDelivered = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::integer as count from delivery_counts
    where status = 'delivered'
  `.execute(db)
  return rows[0]?.count ?? 0
}
