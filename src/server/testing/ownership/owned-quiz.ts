import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Inserts a published quiz that forwards to Brevo, with one participant who has no delivery yet. */
/** Inserts a quiz of a creator with SQL, with a row in each table that has a quiz column. */
export const createQuiz = async (db: Db, creator_id: string) => {
  const [quiz_id, question_id, answer_id] = [randomUUID(), randomUUID(), randomUUID()]
  const [result_id, text_block_id, participant_uuid] = [randomUUID(), randomUUID(), randomUUID()]
  const participant_email = `${participant_uuid}@exemple.fr`
  await db
    .insertInto('quizzes')
    .values({
      id: quiz_id,
      creator_id,
      name: creator_id,
      type: 'quiz',
      status: 'Publié',
      quiz_mode: 'profils',
      published_version: 1,
    })
    .execute()
  await db
    .insertInto('results')
    .values({ id: result_id, quiz_id, name: 'A', priority_order: 1, min_score: 0, max_score: 1 })
    .execute()
  const place = { position: 1, global_position: 1, page_number: 1 }
  await db
    .insertInto('questions')
    .values({ id: question_id, quiz_id, text: 'A', type: 'multiple_choice', ...place })
    .execute()
  await db
    .insertInto('answers')
    .values({ id: answer_id, quiz_id, question_id, text: 'A', score: 1, position: 1 })
    .execute()
  await db
    .insertInto('associations')
    .values({ id: randomUUID(), quiz_id, answer_id, result_id, weight: 1, is_checked: true })
    .execute()
  await db
    .insertInto('dimensions')
    .values({
      id: randomUUID(),
      quiz_id,
      name: 'A',
      description: null,
      position: 0,
      tiers: sql`'[]'`,
    })
    .execute()
  await db
    .insertInto('text_variants')
    .values({
      id: randomUUID(),
      quiz_id,
      place: 'every_result',
      result_id: null,
      position: 0,
      joined_by: 'and',
      conditions: sql`'[]'`,
      text: 'A',
      button_text: null,
      button_url: null,
    })
    .execute()
  const automation_id = randomUUID()
  await db
    .insertInto('automations')
    .values({
      id: automation_id,
      quiz_id,
      provider: 'brevo',
      result_id,
      label_name: 'A',
      vendor_id: '7',
    })
    .execute()
  const mapping_id = randomUUID()
  await db
    .insertInto('field_mappings')
    .values({
      id: mapping_id,
      quiz_id,
      provider: 'brevo',
      source: 'question',
      question_id,
      field_name: 'A',
      field_key: 'A',
      field_type: 'number',
    })
    .execute()
  await db
    .insertInto('text_blocks')
    .values({ id: text_block_id, quiz_id, content: 'A', global_position: 2, page_number: 1 })
    .execute()
  await db
    .insertInto('statistics_links')
    .values({
      quiz_id,
      token_hash: createHash('sha256').update(quiz_id).digest(),
      sealed_token: Buffer.alloc(1),
    })
    .execute()
  await db.insertInto('retention').values({ quiz_id, months: 12 }).execute()
  await db.insertInto('consent_texts').values({ quiz_id, version: 1, text: 'A' }).execute()
  await db
    .insertInto('quiz_versions')
    .values({
      quiz_id,
      version: 1,
      snapshot: '{"quiz":{"type":"quiz"},"results":[],"questions":[]}',
      nb_responses: 1,
    })
    .execute()
  await db
    .insertInto('quiz_integrations')
    .values({ quiz_id, provider: 'brevo', enabled: true, field_key: 'A', tag_by_result: false })
    .execute()
  await db
    .insertInto('responses')
    .values({
      quiz_id,
      participant_uuid,
      version: 1,
      email: participant_email,
      choices: [],
      texts: [],
      consent_version: 1,
    })
    .execute()
  const trial_run_id = randomUUID()
  await db
    .insertInto('trial_responses')
    .values({
      quiz_id,
      id: trial_run_id,
      version: 1,
      email: participant_email,
      choices: [],
      texts: [],
    })
    .execute()
  const parts = { question_id, answer_id, result_id, text_block_id, automation_id, mapping_id }
  return { quiz_id, ...parts, participant_uuid, participant_email, trial_run_id }
}
