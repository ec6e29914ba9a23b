import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { MAIL, NOTICE } from '#domain/common/vocabulary.ts'
import type { NoticeFrequency } from '#domain/deliveries/quiz-mail.ts'
import type { Db } from '#server/db/database.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'

type QuizOfCreator = { quiz_id: string; creator_id: string }

/** Stored mails of a quiz; null texts stand for the default texts. */
export type StoredMails = {
  sends_result: boolean
  tells_creator: NoticeFrequency
  subject: string | null
  text: string | null
  /** True if the mail shows the result below its text. */
  shows_result: boolean
  /** Choice for the replies; null stands for that of the account. */
  reply_to: string | null
}

/** Returns the mails of a creator's quiz. */
export const findMails = async (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
): Promise<StoredMails> => {
  const channels = await db
    .selectFrom('integration_connections')
    .select('provider')
    .where('quiz_id', '=', quiz_id)
    .where('user_id', '=', creator_id)
    .where('provider', 'in', [MAIL, NOTICE])
    .where('status', '<>', 'disconnected')
    .execute()
  const words = await db
    .selectFrom('quiz_mails')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_id')
    .select(['subject', 'text', 'daily_since', 'shows_result', 'reply_to'])
    .where('quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirst()
  const isOn = (channel: string): boolean => channels.some(({ provider }) => provider === channel)
  const { subject = null, text = null, daily_since = null } = words ?? {}
  const { shows_result = true, reply_to = null } = words ?? {}
  const unlessEach = daily_since === null ? 'never' : 'daily'
  return {
    subject,
    text,
    shows_result,
    reply_to,
    sends_result: isOn(MAIL),
    tells_creator: isOn(NOTICE) ? 'each' : unlessEach,
  }
}

/**
 * Stores all choices of the creator in one transaction, after `check` has accepted the stored ones. Throws a 404 if the
 * quiz is absent or of another creator.
 */
export const writeMails = (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
  chosen: { [Field in keyof StoredMails]?: StoredMails[Field] | undefined },
  check?: (stored: StoredMails) => void,
): Promise<void> =>
  db.transaction().execute(async (writing) => {
    await loadQuiz(writing, { quiz_id, creator_id }, 'lock')
    const before = await findMails(writing, { quiz_id, creator_id })
    check?.(before)
    const { sends_result, tells_creator, subject, text, shows_result, reply_to } = chosen
    const words = {
      ...(subject !== undefined && { subject }),
      ...(text !== undefined && { text }),
      ...(shows_result !== undefined && { shows_result }),
      ...(reply_to !== undefined && { reply_to }),
      ...(tells_creator !== undefined &&
        tells_creator !== before.tells_creator && {
          daily_since: tells_creator === 'daily' ? sql<string>`now()` : null,
        }),
    }
    if (Object.keys(words).length > 0)
      await writing
        .insertInto('quiz_mails')
        .values({ quiz_id, ...words })
        .onConflict((known) => known.column('quiz_id').doUpdateSet(words))
        .execute()
    const switches: [typeof MAIL | typeof NOTICE, boolean | undefined, boolean][] = [
      [MAIL, sends_result, before.sends_result],
      [NOTICE, tells_creator && tells_creator === 'each', before.tells_creator === 'each'],
    ]
    for (const [provider, is_enabled, is_on] of switches)
      if (is_enabled !== undefined && is_enabled !== is_on)
        await switchChannel(writing, { quiz_id, creator_id, provider }, is_enabled)
  })

/**
 * Enables or disables the connection of a mail. A disabled connection keeps its deliveries; after re-enabling, only
 * new participants get mails.
 */
const switchChannel = async (
  db: Db,
  { quiz_id, creator_id, provider }: QuizOfCreator & { provider: typeof MAIL | typeof NOTICE },
  is_on: boolean,
): Promise<void> => {
  const at = sql<string>`clock_timestamp()`
  const state = is_on
    ? ({ status: 'active', enabled_since: at, updated_at: at } as const)
    : ({ status: 'disconnected', updated_at: at } as const)
  const { numUpdatedRows } = await db
    .updateTable('integration_connections')
    .set(state)
    .where('quiz_id', '=', quiz_id)
    .where('user_id', '=', creator_id)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (numUpdatedRows > 0 || !is_on) return
  await db
    .insertInto('integration_connections')
    .values({ id: randomUUIDv7(), user_id: creator_id, provider, quiz_id, ...state })
    .execute()
}
