import type { FakeReply, FakeRequest } from './fake-server.ts'

const USUAL_PAGE = 500
const MAX_PAGE = 1000

/** Returns a refusal in Kit's format. */
export const refuseWith = (status: number, ...sentences: string[]): FakeReply => ({
  status,
  body: { errors: sentences },
})

const cursorOf = (id: number): string => Buffer.from(String(id)).toString('base64url')

/** Returns a page of a list in Kit's format, with cursors. */
export const listPage = <T extends { id: number }>(
  { query }: FakeRequest,
  name: string,
  items: readonly T[],
  show: (item: T) => object = (item) => item,
): FakeReply => {
  const per_page = Math.min(Number(query.get('per_page') ?? USUAL_PAGE), MAX_PAGE)
  const after = query.get('after')
  const start = after ? items.findIndex(({ id }) => cursorOf(id) === after) + 1 : 0
  const page = items.slice(start, start + per_page)
  const first = page[0]
  const last = page.at(-1)
  const pagination = {
    has_previous_page: start > 0,
    has_next_page: start + per_page < items.length,
    start_cursor: first ? cursorOf(first.id) : null,
    end_cursor: last ? cursorOf(last.id) : null,
    per_page,
  }
  return { status: 200, body: { [name]: page.map(show), pagination } }
}
