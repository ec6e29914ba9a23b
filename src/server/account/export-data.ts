import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { readDimensions, writeDimensions } from '#domain/run/stored-dimensions.ts'
import { readReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import {
  type ExportedResponse,
  exportAccount,
  exportContent,
  exportImages,
  exportResponses,
  type ResponseKey,
} from './export.store.ts'
import { findTimeZone } from './time-zone.store.ts'

type Versions = Map<string, Snapshot>

const keyOf = (quiz_id: string, version: number): string => `${quiz_id} ${version}`

/** Returns a participant with the texts of the version that they answered. */
const participantOf = (response: ExportedResponse, versions: Versions): object => {
  const { choices, texts, result_position, dimension_percents, ...shown } = response
  const snapshot = versions.get(keyOf(response.quiz_id, response.version))
  const result = result_position === null ? undefined : snapshot?.results[result_position]
  return {
    ...shown,
    final_result_name: result?.name ?? null,
    dimensions: writeDimensions(readDimensions(snapshot ?? {}, dimension_percents)),
    answers: snapshot ? readReplies(snapshot, { choices, texts }) : [],
  }
}

/** Yields the participants of all quizzes of a creator page by page, because memory may not hold them all. */
async function* responsesOf(
  db: Db,
  creator_id: string,
  versions: Versions,
): AsyncGenerator<string> {
  let after: ResponseKey | undefined
  let separator = ''
  do {
    const page = await exportResponses(db, creator_id, after)
    for (const response of page) {
      yield separator + JSON.stringify(participantOf(response, versions))
      separator = ',\n'
    }
    after = page.at(-1)
  } while (after)
}

/**
 * Yields the JSON text of a creator's account and quizzes (contract `account.exportData`). Leaves out secrets and audit
 * events.
 */
export async function* exportParts(db: Db, creator_id: string): AsyncGenerator<string> {
  const account = await exportAccount(db, creator_id)
  const content = await exportContent(db, creator_id)
  const images = await exportImages(db, creator_id)
  const time_zone = await findTimeZone(db, creator_id)
  const exported_at = new Date().toISOString()
  const head = JSON.stringify({ exported_at, time_zone, ...account, images, ...content })
  yield `${head.slice(0, -1)},"responses":[`
  const versions = new Map(
    content.versions.map(({ quiz_id, version, snapshot }) => [keyOf(quiz_id, version), snapshot]),
  )
  yield* responsesOf(db, creator_id, versions)
  yield ']}'
}
