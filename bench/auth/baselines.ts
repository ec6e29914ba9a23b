import { argon2, randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { embeddedConnection } from '#server/db/embedded/postgres-access.ts'
import { runPgbench } from '../submit/pgbench.ts'

const hash = promisify(argon2)
/** Parameters of the password hash in production. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Returns the password hashes per second in this process, with `concurrency` concurrent hashes. */
export const measureHashing = async (options: {
  concurrency: number
  seconds: number
}): Promise<number> => {
  const started = performance.now()
  const end = started + options.seconds * 1000
  let count = 0
  const hasher = async (): Promise<void> => {
    while (performance.now() < end) {
      await hash('argon2id', { message: 'un mot de passe', nonce: randomBytes(16), ...COST })
      count += 1
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, hasher))
  return count / ((performance.now() - started) / 1000)
}

/** Transaction with the number and kind of statements of a session renewal, on the same tables. Finds no rows, inserts one. */
const STATEMENTS = `begin;
select * from sessions where id = gen_random_uuid() for update;
select * from users where id = gen_random_uuid();
update refresh_tokens set revoked_at = now() where token_hash = uuid_send(gen_random_uuid());
insert into web3_messages (message_hash) values (uuid_send(gen_random_uuid()));
update sessions set refreshed_at = now() where id = gen_random_uuid();
select * from session_amr where session_id = gen_random_uuid();
select * from identities where user_id = gen_random_uuid();
select * from mfa_factors where user_id = gen_random_uuid();
commit;
`

/** Returns the transactions per second that pgbench reaches with STATEMENTS on the database of the server. */
export const measureCommits = async (
  data_dir: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> => {
  const script = join(data_dir, `${randomUUID()}.sql`)
  writeFileSync(script, STATEMENTS)
  const threads = ['-c', String(clients), '-j', '1', '-T', String(seconds)]
  const stdout = await runPgbench(embeddedConnection(data_dir), [...threads, '-f', script])
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}
