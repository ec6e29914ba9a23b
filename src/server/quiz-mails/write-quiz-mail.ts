import { canonicalEmail } from '#domain/common/addresses.ts'
import type { ResultMailInput } from '#domain/deliveries/mail-insertions.ts'
import { composeMail, type MailWords, type QuizMail } from '#domain/deliveries/quiz-mail.ts'
import type { Letter } from '#domain/mail-letters/letter.ts'
import { resultLetter } from '#domain/mail-letters/result-letter.ts'
import type { Block } from '#domain/run/rich-text.ts'
import { noticeLetter } from '#server/mails/quiz-letters.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { extendReader, type ReadText } from '#server/rich-texts/text-parser.ts'
import type { LoadedMail } from './mail-data.store.ts'

/** Returns the function that reads the texts of a version and the text of its result mail; undefined without the version. */
export const findMailReader = async (
  compiled: Pick<CompiledVersions, 'find' | 'texts'>,
  { quiz_id, version }: { quiz_id: string; version: number },
  { text }: Pick<MailWords, 'text'>,
  signal?: AbortSignal,
): Promise<ReadText | undefined> => {
  const compiledVersion = await compiled.find(quiz_id, version, signal)
  if (!compiledVersion) return undefined
  const job = { kind: 'mail', owner: compiledVersion.creator_id, signal } as const
  return extendReader(compiledVersion.read, text, await compiled.texts.parse(text, job))
}

/** Returns the result mail of a run, for participants and for the preview of a test. */
export const writeResultMail = (
  mail: QuizMail,
  run: ResultMailInput,
  unsubscribe_url: string,
  {
    read,
    links = [],
    public_url,
  }: { read: ReadText; links?: readonly Block[]; public_url: string },
): Letter => {
  const { quiz } = run.snapshot
  const { page_url } = run
  const content = composeMail(mail, run, read)
  return resultLetter({ ...content, links, quiz, public_url, page_url, unsubscribe_url })
}

/** Returns the address that a participant left; null without one or if the participant refused the consent. */
export const participantAddress = ({
  email,
  consent_version,
}: Pick<LoadedMail, 'email' | 'consent_version'>): string | null =>
  consent_version === 0 || email === null ? null : canonicalEmail(email)

/** Returns the mail that tells the creator about a run, for deliveries and for the preview of a test. */
export const writeNotice = (
  {
    snapshot,
    result,
    email,
    consent_version,
  }: Pick<LoadedMail, 'snapshot' | 'result' | 'email' | 'consent_version'>,
  {
    quiz_id,
    participant_uuid,
    public_url,
  }: { quiz_id: string; participant_uuid: string; public_url: string },
): Letter =>
  noticeLetter({
    quiz: snapshot.quiz,
    result: result?.name ?? null,
    email: consent_version === 0 ? null : email,
    url: `${public_url}/quiz/${quiz_id}/statistics?participant=${participant_uuid}`,
  })
