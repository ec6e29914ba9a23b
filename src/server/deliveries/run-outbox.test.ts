import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { reconcileOutbox } from './run-outbox.ts'

const app = await createOutboxApp()
after(() => app.close())

test('a failed step of the maintenance is logged, and the next steps run', async () => {
  await app.createForwardingQuiz(await app.connectCreator(), ['brevo'])
  await app.pool.query(`
    create function refuse_row() returns trigger language plpgsql
      as $$ begin raise exception 'there is no room'; end $$;
    create trigger refused before insert on delivery_checks execute function refuse_row()`)
  await app.pool.query(
    `insert into delivery_attempts (quiz_id, participant_uuid, connection_id, at, outcome, ms)
    values ($1, $2, $3, now() - interval '31 days', 'delivered', 1)`,
    [randomUUID(), randomUUID(), randomUUID()],
  )
  const failures: unknown[] = []
  const log = { error: (...said: unknown[]) => void failures.push(said) }
  await reconcileOutbox(app.db, { log, onFound: () => assert.fail('nothing is missing') })
  assert.equal(failures.length, 1)
  assert.match(JSON.stringify(failures), /a step of reconciling/)
  const { rows } = await app.pool.query('select from delivery_attempts')
  assert.equal(rows.length, 0)
})
